import type { Client } from '@watchword/admin-client';
import { useState } from 'react';
import { usePages } from '../../api/use-pages.ts';
import { Loading } from '../../components/loading.tsx';
import { Problem } from '../../components/problem.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { useListState } from '../../router/use-list-state.ts';
import { t } from '../../texts/texts.ts';
import { IssueDialog } from './issue-dialog.tsx';
import { RevokeOwnerDialog } from './revoke-owner-dialog.tsx';
import { type TokenAction, tokenColumns } from './token-columns.tsx';
import { TokenDialog } from './token-dialog.tsx';
import { TokenTable } from './token-table.tsx';
import { TokenToolbar } from './token-toolbar.tsx';

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
  const resourceOwnerAuthority = list.get('identityProvider');
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
      {client !== undefined && !isAdministrator && <p className="quiet toolbar">{t('tokens.ownOnly')}</p>}
      <TokenToolbar
        list={list}
        client={client}
        mayWrite={mayWrite}
        onIssue={() => setIssuing(true)}
        onRevoke={() => setRevoking(true)}
      />
      {error !== null && <Problem error={error} onRetry={refetch} />}
      {items === undefined ? (
        error === null && <Loading />
      ) : (
        <TokenTable
          {...{ list, hasMore, readMore, isReadingMore, state }}
          tokens={items.filter(
            (token) =>
              resourceOwnerAuthority === '' || token.resourceOwnerAuthority === resourceOwnerAuthority,
          )}
          columns={tokenColumns({ withClient: client === undefined, mayWrite, onAction: setAction })}
          isFiltered={q !== '' || resourceOwnerId !== ''}
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
