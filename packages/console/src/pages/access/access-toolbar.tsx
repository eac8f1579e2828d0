import type { Client, Grant } from '@watchword/admin-client';
import { Icon } from '../../components/icon.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { Button } from '../../controls/button.tsx';
import type { ListState } from '../../router/use-list-state.ts';
import { t } from '../../texts/texts.ts';
import { ResourceServerSelect } from '../clients/resource-server-select.tsx';
import type { Ending } from './ending.ts';

interface AccessToolbarProps {
  readonly list: ListState;
  readonly client: Client | undefined;
  readonly mayWrite: boolean;
  /** What is listed; `undefined` while it is read. */
  readonly items: readonly Grant[] | undefined;
  readonly onEnd: (ending: Ending) => void;
}

/** Which access the list shows, and an end to all of it. */
export function AccessToolbar({ list, client, mayWrite, items, onEnd }: AccessToolbarProps) {
  const subject = list.get('subject');
  const clientId = list.get('client');
  const [grant] = items ?? [];
  const person = subject === '' ? undefined : (grant?.resourceOwnerId ?? t('access.thisPerson'));
  return (
    <div className="toolbar">
      <SearchBox
        label={t(client === undefined ? 'access.search' : 'access.searchPerson')}
        value={list.q}
        onSearch={(q) => list.set({ q })}
      />
      {client === undefined && (
        <ResourceServerSelect value={list.get('of')} onChoose={(of) => list.set({ of })} />
      )}
      {person !== undefined && (
        <Narrowed
          text={t('access.ofPerson', { person })}
          label={t('access.allPeople', { person })}
          onRemove={() => list.set({ subject: '' })}
        />
      )}
      {clientId !== '' && (
        <Narrowed
          text={t('access.byClient', { client: clientId })}
          label={t('access.allClients', { client: clientId })}
          onRemove={() => list.set({ client: '' })}
        />
      )}
      {mayWrite && grant !== undefined && person !== undefined && (
        <Button
          variant="outline"
          color="red"
          className="toolbar-end"
          onClick={() => onEnd({ of: 'person', grant })}
        >
          {t('access.endOfPerson')}
        </Button>
      )}
      {mayWrite && grant !== undefined && subject === '' && (client ?? clientId) !== '' && (
        <Button
          variant="outline"
          color="red"
          className="toolbar-end"
          onClick={() => onEnd({ of: 'client', grant })}
        >
          {t('access.endOfClient')}
        </Button>
      )}
    </div>
  );
}

interface NarrowedProps {
  /** What the list is narrowed to. */
  readonly text: string;
  /** What the button does, for screen readers. */
  readonly label: string;
  readonly onRemove: () => void;
}

function Narrowed({ text, label, onRemove }: NarrowedProps) {
  return (
    <Button variant="default" rightSection={<Icon name="close" />} onClick={onRemove} aria-label={label}>
      {text}
    </Button>
  );
}
