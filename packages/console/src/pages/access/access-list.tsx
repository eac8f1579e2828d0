import type { AdminClient, Client, Grant, GrantSelection, Page, PageQuery } from '@watchword/admin-client';
import { useState } from 'react';
import { usePages } from '../../api/use-pages.ts';
import { DangerZone } from '../../components/danger-zone.tsx';
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
import { accessColumns, grantsInWords } from './access-columns.tsx';
import { EndDialog, type Ending } from './end-dialog.tsx';

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
  const [grant] = items ?? [];
  const of = filter.subject !== undefined ? 'person' : filter.clientId !== undefined ? 'client' : undefined;
  return (
    <>
      <AccessToolbar {...{ list, client, items }} />
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {items === undefined ? (
        error === null && <Loading />
      ) : (
        <DataTable<Grant>
          caption={t('access.title')}
          noun={grantsInWords}
          columns={accessColumns({ withClient: client === undefined, mayWrite, onEnd: setEnding })}
          rows={items}
          rowKey={({ id }) => id}
          sorting={list.sorting}
          onSort={list.setSorting}
          page={list.page}
          onPage={list.setPage}
          found={{ isComplete: !hasMore, total: undefined }}
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
      {mayWrite && of !== undefined && grant !== undefined && (
        <DangerZone
          actions={[
            {
              title: t(of === 'person' ? 'access.endOfPerson' : 'access.endOfClient'),
              lead: t(`endAccess.${of}.after`),
              action: t('endAccess.all.action'),
              onClick: () => setEnding({ of, grant }),
            },
          ]}
        />
      )}
      {ending !== undefined && <EndDialog ending={ending} onClose={() => setEnding(undefined)} />}
    </>
  );
}

interface AccessToolbarProps {
  readonly list: ListState;
  readonly client: Client | undefined;
  /** What is listed; `undefined` while it is read. */
  readonly items: readonly Grant[] | undefined;
}

/** Which access the list shows. */
function AccessToolbar({ list, client, items }: AccessToolbarProps) {
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
