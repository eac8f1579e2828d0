import type { AccessToken } from '@watchword/admin-client';
import { ClientLink } from '../../components/records/client-link.tsx';
import { PersonLink } from '../../components/records/person-link.tsx';
import { Scopes } from '../../components/records/scopes.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { actionColumn, timeColumn } from '../../components/tables/usual-columns.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { routeTo } from '../../router/place.ts';
import { routes } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';

/** What the user chose to do with a token. */
export interface TokenAction {
  readonly type: 'edit' | 'revoke';
  readonly token: AccessToken;
}

interface TokenColumnOptions {
  readonly withClient: boolean;
  readonly withOwner?: boolean;
  readonly mayWrite: boolean;
  readonly onAction: (action: TokenAction) => void;
}

export function tokenColumns({
  withClient,
  withOwner = true,
  mayWrite,
  onAction,
}: TokenColumnOptions): readonly Column<AccessToken>[] {
  return [
    ...(withClient ? [clientColumn()] : []),
    ...(withOwner ? [ownerColumn()] : []),
    {
      key: 'scopes',
      header: t('scopes.label'),
      isFlexible: true,
      value: ({ scopes }) => scopes.length,
      cell: ({ scopes }) => <Scopes scopes={scopes} isShort />,
    },
    timeColumn('created', t('token.issued'), ({ creationDate }) => creationDate),
    {
      key: 'expires',
      header: t('token.expires'),
      value: ({ expires }) => expires || Number.POSITIVE_INFINITY,
      cell: ({ expires }) => <Timestamp time={expires} />,
    },
    ...(mayWrite ? [changeColumn(onAction)] : []),
  ];
}

const clientColumn = (): Column<AccessToken> => ({
  key: 'client',
  header: t('token.client'),
  value: ({ clientId }) => clientId,
  cell: ({ clientId }) => <ClientLink clientId={clientId} className="one-line" />,
});

const ownerColumn = (): Column<AccessToken> => ({
  key: 'owner',
  header: t('token.owner'),
  value: ({ resourceOwnerId }) => resourceOwnerId,
  cell: (token) =>
    isOwnOf(token) ? (
      <span className="quiet">{t('token.ownerIsClient')}</span>
    ) : (
      <PersonLink
        className="one-line"
        owner={token}
        otherwise={routeTo(routes.tokens, {
          owner: token.resourceOwnerId,
          identityProvider: token.resourceOwnerAuthority,
        })}
      />
    ),
});

const changeColumn = (onAction: (action: TokenAction) => void) =>
  actionColumn<AccessToken>(
    ({ clientId }) => t('token.actions', { client: clientId }),
    (token) => [
      ...(token.part ? [] : [{ label: t('token.change'), onClick: () => onAction({ type: 'edit', token }) }]),
      { label: t('action.revoke'), onClick: () => onAction({ type: 'revoke', token }), isDangerous: true },
    ],
  );

/** The client acts for itself. */
export function isOwnOf({ resourceOwnerAuthority }: Pick<AccessToken, 'resourceOwnerAuthority'>): boolean {
  return resourceOwnerAuthority.startsWith('client:');
}
