import { Button, SegmentedControl } from '@mantine/core';
import type { AccessToken, Client } from '@watchword/admin-client';
import { useState } from 'react';
import { usePages } from '../../api/use-pages.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Icon } from '../../components/icon.tsx';
import { Loading } from '../../components/loading.tsx';
import { Problem } from '../../components/problem.tsx';
import { SearchBox } from '../../components/search-box.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { useListState } from '../../router/use-list-state.ts';
import { IssueDialog } from './issue-dialog.tsx';
import { RevokeOwnerDialog } from './revoke-owner-dialog.tsx';
import { tokenColumns } from './token-columns.tsx';
import { type TokenAction, TokenDialog } from './token-dialog.tsx';

interface TokenListProps {
  /** Only tokens of this one. */
  readonly client?: Client;
}

/** Tokens, the newest first; what is searched is asked of the server, which has too many to send them all. */
export function TokenList({ client }: TokenListProps) {
  const { admin } = useEnvironment();
  const { mayWrite, isAdministrator } = usePerson();
  const list = useListState({ key: 'created', isDescending: true });
  const [action, setAction] = useState<TokenAction | undefined>();
  const [isIssuing, setIssuing] = useState(false);
  const [isRevoking, setRevoking] = useState(false);
  const { q } = list;
  const resourceOwnerId = list.get('owner');
  const resourceOwnerAuthority = list.get('authority');
  const state = list.get('state') || 'live';
  const filter = {
    q: q || undefined,
    clientId: client?.clientId ?? (list.get('client') || undefined),
    resourceOwnerId: resourceOwnerId || undefined,
    expired: state === 'all' ? undefined : state === 'expired',
  };
  const { items, error, refetch, hasMore, readMore, isReadingMore } = usePages(
    ['tokens', filter],
    (page, options) => admin.accessTokens.list({ ...page, ...filter }, options),
  );
  return (
    <>
      {client !== undefined && !isAdministrator && (
        <p className="quiet toolbar">
          Tokens in your name. Those of other people, and those in which the client acts for itself, are not
          shown; to end them all, see Secret and removal.
        </p>
      )}
      <div className="toolbar">
        <SearchBox
          label={client === undefined ? 'Search by client or owner' : 'Search by owner'}
          value={list.q}
          onSearch={(value) => list.set({ q: value })}
        />
        <SegmentedControl
          size="xs"
          aria-label="Which tokens"
          value={state}
          onChange={(value) => list.set({ state: value === 'live' ? '' : value })}
          data={[
            { value: 'live', label: 'Live' },
            { value: 'expired', label: 'Expired' },
            { value: 'all', label: 'All' },
          ]}
        />
        {resourceOwnerId !== '' && (
          <Button
            variant="default"
            rightSection={<Icon name="close" />}
            onClick={() => list.set({ owner: '', authority: '' })}
            aria-label={`Show tokens of everybody, not only of ${resourceOwnerId}`}
          >
            of {resourceOwnerId}
          </Button>
        )}
        {resourceOwnerAuthority !== '' && mayWrite && (
          <Button variant="outline" color="red" onClick={() => setRevoking(true)}>
            Revoke everything of theirs
          </Button>
        )}
        {mayWrite && (
          <Button
            variant="default"
            className="toolbar-end"
            leftSection={<Icon name="plus" />}
            onClick={() => setIssuing(true)}
          >
            Issue a token
          </Button>
        )}
      </div>
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {items === undefined ? (
        error === null && <Loading />
      ) : (
        <DataTable<AccessToken>
          caption="Access tokens"
          isDense
          noun="token"
          columns={tokenColumns({ withClient: client === undefined, mayWrite, onAction: setAction })}
          rows={items.filter(
            (token) =>
              resourceOwnerAuthority === '' || token.resourceOwnerAuthority === resourceOwnerAuthority,
          )}
          rowKey={({ id }) => id}
          sorting={list.sorting}
          onSort={list.setSorting}
          page={list.page}
          onPage={list.setPage}
          hasMore={hasMore}
          footer={
            hasMore && (
              <p className="more">
                <Button variant="default" loading={isReadingMore} onClick={readMore}>
                  Read more
                </Button>
                <span className="quiet">These are the newest; sorting and pages are among them.</span>
              </p>
            )
          }
          empty={
            <NoTokens
              isAdministrator={isAdministrator}
              isFiltered={q !== '' || resourceOwnerId !== ''}
              state={state}
              hasMore={hasMore}
              onMore={readMore}
            />
          }
        />
      )}
      {action !== undefined && <TokenDialog action={action} onClose={() => setAction(undefined)} />}
      {isRevoking && (
        <RevokeOwnerDialog
          owner={{ resourceOwnerId, resourceOwnerAuthority }}
          onClose={() => setRevoking(false)}
        />
      )}
      {isIssuing && <IssueDialog client={client} onClose={() => setIssuing(false)} />}
    </>
  );
}

interface NoTokensProps {
  readonly isAdministrator: boolean;
  readonly isFiltered: boolean;
  readonly state: string;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

function NoTokens({ isAdministrator, isFiltered, state, hasMore, onMore }: NoTokensProps) {
  if (hasMore) {
    return (
      <EmptyState title="Nothing found yet">
        <p>The server has looked through the newest tokens, and there are older ones.</p>
        <Button variant="default" onClick={onMore}>
          Look further
        </Button>
      </EmptyState>
    );
  }
  if (isFiltered) return <EmptyState title="No token fits" />;
  if (state === 'expired') return <EmptyState title="No expired token" />;
  return (
    <EmptyState title="No live token">
      <p>
        {isAdministrator
          ? 'As soon as a client gets one, it is here. The page of each client has a command to try it with.'
          : 'As soon as a client gets one in your name, it is here.'}
      </p>
    </EmptyState>
  );
}
