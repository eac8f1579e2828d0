import type { AccessToken, Client, ResourceOwner } from '@watchword/admin-client';
import { useState } from 'react';
import { useRefresh } from '../../api/queries.ts';
import { usePages } from '../../api/use-pages.ts';
import { DangerZone } from '../../components/danger-zone.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { useNotice } from '../../components/notices.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Problem } from '../../components/problem.tsx';
import { SearchBox } from '../../components/search/search-box.tsx';
import { type Column, DataTable } from '../../components/tables/data-table.tsx';
import { More } from '../../components/tables/more.tsx';
import { type ListState, useListState } from '../../components/tables/use-list-state.ts';
import { Button } from '../../controls/button.tsx';
import { SegmentedControl } from '../../controls/choices.tsx';
import { Icon } from '../../controls/icon.tsx';
import { useEnvironment, usePerson } from '../../environment.ts';
import { rich } from '../../texts/rich.tsx';
import { t } from '../../texts/texts.ts';
import { IssueDialog } from './issue-dialog.tsx';
import { type TokenAction, tokenColumns } from './token-columns.tsx';
import { TokenDialog } from './token-dialog.tsx';

export function Tokens() {
  const { isAdministrator } = usePerson();
  return (
    <>
      <PageHeader title={t('tokens.title')} lead={t(isAdministrator ? 'tokens.leadAll' : 'tokens.leadOwn')} />
      <TokenList />
    </>
  );
}

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
      <TokenToolbar list={list} client={client} mayWrite={mayWrite} onIssue={() => setIssuing(true)} />
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
      {mayWrite && resourceOwnerAuthority !== '' && (
        <DangerZone
          actions={[
            {
              title: t('tokens.revokeOfPerson'),
              lead: t('revokeOwner.after'),
              action: t('revokeOwner.action'),
              onClick: () => setRevoking(true),
            },
          ]}
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

interface TokenToolbarProps {
  readonly list: ListState;
  readonly client: Client | undefined;
  readonly mayWrite: boolean;
  readonly onIssue: () => void;
}

/** Which tokens the list shows, and a new one. */
function TokenToolbar({ list, client, mayWrite, onIssue }: TokenToolbarProps) {
  const resourceOwnerId = list.get('owner');
  return (
    <div className="toolbar">
      <SearchBox
        label={t(client === undefined ? 'tokens.search' : 'tokens.searchOwner')}
        value={list.q}
        onSearch={(value) => list.set({ q: value })}
      />
      <SegmentedControl
        aria-label={t('tokens.which')}
        value={list.get('state') || 'live'}
        onChange={(value) => list.set({ state: value === 'live' ? '' : value })}
        data={[
          { value: 'live', label: t('tokens.valid') },
          { value: 'expired', label: t('tokens.expired') },
          { value: 'all', label: t('tokens.all') },
        ]}
      />
      {resourceOwnerId !== '' && (
        <Button
          variant="default"
          rightSection={<Icon name="close" />}
          onClick={() => list.set({ owner: '', identityProvider: '' })}
          aria-label={t('tokens.ofAll', { owner: resourceOwnerId })}
        >
          {t('tokens.of', { owner: resourceOwnerId })}
        </Button>
      )}
      {mayWrite && (
        <Button
          variant="default"
          className="toolbar-end"
          leftSection={<Icon name="plus" />}
          onClick={onIssue}
        >
          {t('tokens.issue')}
        </Button>
      )}
    </div>
  );
}

interface TokenTableProps {
  readonly tokens: readonly AccessToken[];
  readonly columns: readonly Column<AccessToken>[];
  readonly list: ListState;
  readonly state: string;
  readonly isFiltered: boolean;
  readonly hasMore: boolean;
  readonly isReadingMore: boolean;
  readonly readMore: () => void;
}

function TokenTable(props: TokenTableProps) {
  const { tokens, columns, list, state, isFiltered, hasMore, isReadingMore, readMore } = props;
  const { isAdministrator } = usePerson();
  return (
    <DataTable<AccessToken>
      caption={t('tokens.table')}
      isDense
      noun="token"
      columns={columns}
      rows={tokens}
      rowKey={({ id }) => id}
      sorting={list.sorting}
      onSort={list.setSorting}
      page={list.page}
      onPage={list.setPage}
      found={{ isComplete: !hasMore, total: undefined }}
      footer={hasMore && <More {...{ hasMore, isReadingMore, readMore }} note={t('tokens.newest')} />}
      empty={<NoTokens {...{ isAdministrator, isFiltered, state, hasMore }} onMore={readMore} />}
    />
  );
}

interface NoTokensProps {
  readonly isAdministrator: boolean;
  readonly isFiltered: boolean;
  readonly state: string;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

/** What stands where no token is listed. */
function NoTokens({ isAdministrator, isFiltered, state, hasMore, onMore }: NoTokensProps) {
  if (hasMore) {
    return (
      <EmptyState title={t('tokens.none.more')}>
        <p>{t('tokens.none.moreAdvice')}</p>
        <Button variant="default" onClick={onMore}>
          {t('tokens.none.further')}
        </Button>
      </EmptyState>
    );
  }
  if (isFiltered) return <EmptyState title={t('tokens.none.filtered')} />;
  if (state === 'expired') return <EmptyState title={t('tokens.none.expired')} />;
  return (
    <EmptyState title={t('tokens.none.valid')}>
      <p>{t(isAdministrator ? 'tokens.none.adviceAll' : 'tokens.none.adviceOwn')}</p>
    </EmptyState>
  );
}

interface RevokeOwnerDialogProps {
  readonly owner: ResourceOwner;
  readonly onClose: () => void;
}

/** Ends everything that was issued in the name of a person. */
function RevokeOwnerDialog({ owner, onClose }: RevokeOwnerDialogProps) {
  const { admin } = useEnvironment();
  const refresh = useRefresh();
  const notify = useNotice();
  const { resourceOwnerId, resourceOwnerAuthority } = owner;

  async function revoke() {
    const ended = await admin.resourceOwners.revoke(owner);
    const { grants, loginSessions: logins } = ended;
    notify(t('revokeOwner.done', { grants, logins, owner: resourceOwnerId }));
    await refresh();
  }

  return (
    <ConfirmDialog
      title={t('revokeOwner.title', { owner: resourceOwnerId })}
      action={t('revokeOwner.action')}
      onConfirm={revoke}
      onClose={onClose}
    >
      <p>
        {rich('revokeOwner.lead', {
          owner: resourceOwnerId,
          identityProvider: resourceOwnerAuthority,
          quiet: (text) => <span className="quiet">{text}</span>,
        })}
      </p>
      <ul className="consequences">
        <li>{t('revokeOwner.tokens')}</li>
        <li>{t('revokeOwner.logins')}</li>
      </ul>
      <p>{t('revokeOwner.after')}</p>
    </ConfirmDialog>
  );
}
