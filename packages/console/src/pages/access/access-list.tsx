import type { AdminClient, Client, Grant, GrantSelection, Page, PageQuery } from '@watchword/admin-client';
import { useState } from 'react';
import { usePages } from '../../api/use-pages.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { SearchBox } from '../../components/search/search-box.tsx';
import { DataTable } from '../../components/tables/data-table.tsx';
import { More } from '../../components/tables/more.tsx';
import { type ListState, useListState } from '../../components/tables/use-list-state.ts';
import { Button } from '../../controls/button.tsx';
import { Icon } from '../../controls/icon.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { t } from '../../texts/texts.ts';
import { ResourceServerSelect } from '../clients/resource-server-select.tsx';
import { accessColumns } from './access-columns.tsx';
import { EndDialog } from './end-dialog.tsx';
import type { Ending } from './ending.ts';

export function Access() {
  const { isAdministrator } = usePerson();
  return (
    <>
      <PageHeader title={t('access.title')} lead={t(isAdministrator ? 'access.leadAll' : 'access.leadOwn')} />
      <AccessList />
    </>
  );
}

interface AccessListProps {
  /** Only access of this one. */
  readonly client?: Client;
}

/** Grants and remembered consents, the newest first. The server searches, because it has too many to send them all. */
export function AccessList({ client }: AccessListProps) {
  const { admin } = useEnvironment();
  const { mayWrite } = usePerson();
  const list = useListState({ key: 'since', isDescending: true });
  const [ending, setEnding] = useState<Ending | undefined>();
  const { q } = list;
  const filter = {
    subject: list.get('subject') || undefined,
    clientId: client?.clientId ?? (list.get('client') || undefined),
    resourceServerId: Number(list.get('of')) || undefined,
  };
  const { items, error, refetch, hasMore, readMore, isReadingMore } = usePages(
    ['grants', filter, q],
    readGrants(admin, filter, q),
  );
  return (
    <>
      <AccessToolbar {...{ list, client, mayWrite, items }} onEnd={setEnding} />
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {items === undefined ? (
        error === null && <Loading />
      ) : (
        <DataTable<Grant>
          caption={t('access.title')}
          noun="grant"
          columns={accessColumns({ withClient: client === undefined, mayWrite, onEnd: setEnding })}
          rows={items}
          rowKey={({ id }) => id}
          sorting={list.sorting}
          onSort={list.setSorting}
          page={list.page}
          onPage={list.setPage}
          hasMore={hasMore}
          footer={hasMore && <More {...{ hasMore, isReadingMore, readMore }} note={t('access.newest')} />}
          empty={
            <NoAccess
              client={client}
              isFiltered={[q, ...['subject', 'client', 'of'].map(list.get)].some((value) => value !== '')}
              hasMore={hasMore}
              onMore={readMore}
            />
          }
        />
      )}
      {ending !== undefined && <EndDialog ending={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

interface AccessToolbarProps {
  readonly list: ListState;
  readonly client: Client | undefined;
  readonly mayWrite: boolean;
  /** What is listed; `undefined` while it is read. */
  readonly items: readonly Grant[] | undefined;
  readonly onEnd: (ending: Ending) => void;
}

/** Which access the list shows, and an end to all of it. */
function AccessToolbar({ list, client, mayWrite, items, onEnd }: AccessToolbarProps) {
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

interface NoAccessProps {
  /** Only access of this one is listed. */
  readonly client: Client | undefined;
  readonly isFiltered: boolean;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

/** Instead of rows, where there are none. */
function NoAccess({ client, isFiltered, hasMore, onMore }: NoAccessProps) {
  if (hasMore) {
    return (
      <EmptyState title={t('access.none.more')}>
        <p>{t('access.none.moreAdvice')}</p>
        <Button variant="default" onClick={onMore}>
          {t('access.none.further')}
        </Button>
      </EmptyState>
    );
  }
  if (isFiltered) {
    return (
      <EmptyState title={t('access.none.filtered')}>
        <p>{t('access.none.filteredAdvice')}</p>
      </EmptyState>
    );
  }
  if (client !== undefined) {
    return (
      <EmptyState title={t('access.none.client')}>
        <p>{t('access.none.clientAdvice')}</p>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={t('access.none.all')}>
      <p>{t('access.none.allAdvice')}</p>
    </EmptyState>
  );
}

// A page of the server is empty when none of the 2,000 grants that it has read fits. After so many, the user decides.
const mostEmptyPages = 10;

/**
 * Reads a page of grants. A search finds parts of names among the newest grants; the people with exactly that name come
 * first, however old their grants are, because the server has an index of names.
 */
function readGrants(admin: AdminClient, filter: GrantSelection, q: string) {
  return async (page: PageQuery, options: { readonly signal: AbortSignal }): Promise<Page<Grant>> => {
    const search = { ...page, ...filter, q: q || undefined };
    let found = await admin.grants.list(search, options);
    for (let pages = 1; found.items.length === 0 && found.next !== undefined; pages += 1) {
      if (pages === mostEmptyPages) break;
      found = await admin.grants.list({ ...search, cursor: found.next }, options);
    }
    if (q === '' || page.cursor !== undefined) return found;
    const named = await admin.grants.list({ ...filter, resourceOwnerId: q }, options);
    const ids = new Set(named.items.map(({ id }) => id));
    return { ...found, items: [...named.items, ...found.items.filter(({ id }) => !ids.has(id))] };
  };
}
