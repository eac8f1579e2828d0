import { type FormEvent, useState } from 'react';
import { useResourceServerChoice } from '../../api/choices.ts';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { LinkButton } from '../../components/link-button.tsx';
import { isSystemRecord } from '../../components/records/owner.tsx';
import { SearchSelect } from '../../components/search/search-select.tsx';
import { Button } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { goTo } from '../../router/place.ts';
import { newClientRoute, routes } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';

/** Leads to the form for a new client, by way of the API that it calls. */
export function RegisterClient({ chosen }: { readonly chosen: string }) {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button
        leftSection={<Icon name="plus" />}
        onClick={() => (chosen === '' ? setAsking(true) : goTo(newClientRoute(Number(chosen))))}
      >
        {t('firstSteps.registerClient')}
      </Button>
      {isAsking && <ChooseApi onClose={() => setAsking(false)} />}
    </>
  );
}

function ChooseApi({ onClose }: { readonly onClose: () => void }) {
  const [q, setQ] = useState('');
  const { data, isPlaceholderData } = useResourceServerChoice(q);
  // The administration is an API too, but hardly ever the one that is meant.
  const items = data?.items.filter((server) => !isSystemRecord(server) || q !== '') ?? [];
  const options = items.map(({ id, key, name }) => ({
    value: String(id),
    label: name,
    ...(key !== name && { note: key }),
  }));
  const only = q === '' && data?.isComplete === true && options.length === 1 ? options[0] : undefined;
  const go = (api: { readonly value: string }) => goTo(newClientRoute(Number(api.value)));

  function submit(event: FormEvent) {
    event.preventDefault();
    if (only !== undefined) go(only);
  }

  return (
    <Dialog title={t('firstSteps.registerClient')} onClose={onClose}>
      <form onSubmit={submit}>
        <p className="dialog-text">{t('clients.register.lead')}</p>
        <SearchSelect
          label={t('servers.one')}
          chosen={only}
          options={options}
          hasMore={data?.isComplete === false}
          isLoading={data === undefined || isPlaceholderData}
          onSearch={setQ}
          opensAtOnce={data !== undefined && only === undefined}
          onChoose={go}
        />
        <div className="dialog-actions">
          <LinkButton to={routes.newResourceServer} isQuiet>
            {t('servers.register')}
          </LinkButton>
          {only !== undefined && <Button type="submit">{t('clients.register.go')}</Button>}
        </div>
      </form>
    </Dialog>
  );
}
