import type { Client, Grant } from '@watchword/admin-client';
import { useState } from 'react';
import { usePages } from '../../api/use-pages.ts';
import { DataTable } from '../../components/data-table.tsx';
import { Loading } from '../../components/loading.tsx';
import { More } from '../../components/more.tsx';
import { Problem } from '../../components/problem.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { useListState } from '../../router/use-list-state.ts';
import { t } from '../../texts/texts.ts';
import { accessColumns } from './access-columns.tsx';
import { AccessToolbar } from './access-toolbar.tsx';
import { EndDialog } from './end-dialog.tsx';
import type { Ending } from './ending.ts';
import { NoAccess } from './no-access.tsx';
import { readGrants } from './read-grants.ts';

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
