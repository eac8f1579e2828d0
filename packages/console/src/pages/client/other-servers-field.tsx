import { useState } from 'react';
import { useOpenResourceServers, useResourceServerChoice } from '../../api/choices.ts';
import { useResourceServer } from '../../api/queries.ts';
import { isSystemRecord } from '../../components/records/owner.tsx';
import { SearchSelect } from '../../components/search/search-select.tsx';
import { Button } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { usePerson } from '../../environment.ts';
import { FieldGroup } from '../../forms/fields.tsx';
import { ScopeBoxes } from '../../forms/scope-boxes.tsx';
import type { RecordForm } from '../../forms/use-record-form.ts';
import type { TypedClient } from '../../rules/typed-client.ts';
import { t } from '../../texts/texts.ts';

interface OtherServersFieldProps {
  readonly form: RecordForm<TypedClient>;
  /** Record id of the resource server of the client. */
  readonly home: number;
  readonly isDisabled?: boolean;
}

type Entry = TypedClient['otherResourceServers'][number];

/** The other resource servers that a client can use, and its scopes at each. */
export function OtherServersField({ form, home, isDisabled = false }: OtherServersFieldProps) {
  const entries = form.values.otherResourceServers;
  const change = (next: readonly Entry[]) => form.set('otherResourceServers', next);
  const ofOthers = (id: number) => entries.filter(({ resourceServerId }) => resourceServerId !== id);
  return (
    <FieldGroup
      label={form.labels.otherResourceServers}
      hint={t('client.others.hint')}
      problems={form.problemsOf('otherResourceServers')}
    >
      {entries.map((entry) => (
        <OtherServer
          key={entry.resourceServerId}
          entry={entry}
          isDisabled={isDisabled}
          onChange={(scopes) => change(entries.map((each) => (each === entry ? { ...entry, scopes } : each)))}
          onRemove={() => change(ofOthers(entry.resourceServerId))}
        />
      ))}
      {!isDisabled && (
        <ServerPicker
          taken={[home, ...entries.map(({ resourceServerId }) => resourceServerId)]}
          onChoose={(resourceServerId) => change([...entries, { resourceServerId, scopes: [] }])}
        />
      )}
    </FieldGroup>
  );
}

interface OtherServerProps {
  readonly entry: Entry;
  readonly isDisabled: boolean;
  readonly onChange: (scopes: readonly string[]) => void;
  readonly onRemove: () => void;
}

function OtherServer({ entry, isDisabled, onChange, onRemove }: OtherServerProps) {
  const { resourceServerId: id, scopes } = entry;
  const { isAdministrator } = usePerson();
  const open = useOpenResourceServers('').data?.items.find((server) => server.id === id);
  const own = useResourceServer(open === undefined || isAdministrator ? id : 0).data?.record;
  const name = own?.name ?? open?.name ?? t('client.others.closed', { id });
  const described = own?.describedScopes ?? open?.openScopes ?? [];
  const offered = described.map((scope) => scope.name);
  return (
    <div className="other-server">
      <div className="other-server-head">
        <strong>{name}</strong>
        {!isDisabled && (
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<Icon name="close" />}
            aria-label={t('client.others.removeOf', { name })}
            onClick={onRemove}
          >
            {t('client.others.remove')}
          </Button>
        )}
      </div>
      <ScopeBoxes
        available={[...offered, ...scopes.filter((scope) => !offered.includes(scope))]}
        described={described}
        chosen={scopes}
        isDisabled={isDisabled}
        onChange={onChange}
      />
    </div>
  );
}

interface ServerPickerProps {
  /** Record ids that are not offered. */
  readonly taken: readonly number[];
  readonly onChoose: (id: number) => void;
}

/** Offers resource servers of the user, and those of others that are open. */
function ServerPicker({ taken, onChoose }: ServerPickerProps) {
  const [q, setQ] = useState('');
  const own = useResourceServerChoice(q);
  const open = useOpenResourceServers(q);
  // The administration is an API too, but hardly ever the one that is meant.
  const ofUser = own.data?.items.filter((server) => !isSystemRecord(server) || q !== '') ?? [];
  const ids = new Set(ofUser.map(({ id }) => id));
  const found = [...ofUser, ...(open.data?.items.filter(({ id }) => !ids.has(id)) ?? [])];
  const options = found
    .filter(({ id }) => !taken.includes(id))
    .map(({ id, key, name }) => ({ value: String(id), label: name, ...(key !== name && { note: key }) }));
  return (
    <SearchSelect
      label={t('client.others.add')}
      chosen={undefined}
      placeholder={t('client.others.search')}
      options={options}
      hasMore={own.data?.isComplete === false || open.data?.isComplete === false}
      isLoading={own.data === undefined || open.data === undefined || own.isPlaceholderData}
      onSearch={setQ}
      onChoose={({ value }) => onChoose(Number(value))}
    />
  );
}
