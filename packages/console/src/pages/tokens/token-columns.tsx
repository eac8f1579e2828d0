import { Button } from '@mantine/core';
import type { AccessToken } from '@watchword/admin-client';
import type { Column } from '../../components/data-table.tsx';
import { Moment } from '../../components/moment.tsx';
import { Scopes } from '../../components/scopes.tsx';
import { Link } from '../../router/link.tsx';
import { routeTo } from '../../router/place.ts';
import { routes } from '../../router/routes.ts';
import type { TokenAction } from './token-dialog.tsx';

interface TokenColumnOptions {
  readonly withClient: boolean;
  readonly mayWrite: boolean;
  readonly onAction: (action: TokenAction) => void;
}

export function tokenColumns({
  withClient,
  mayWrite,
  onAction,
}: TokenColumnOptions): readonly Column<AccessToken>[] {
  return [
    ...(withClient ? [clientColumn] : []),
    {
      key: 'owner',
      header: 'Resource owner',
      value: ({ resourceOwnerId }) => resourceOwnerId,
      cell: (token) =>
        isOwnOf(token) ? (
          <span className="quiet">the client itself</span>
        ) : (
          <Link
            to={routeTo(routes.tokens, {
              owner: token.resourceOwnerId,
              authority: token.resourceOwnerAuthority,
            })}
            title={`From ${token.resourceOwnerAuthority}`}
          >
            <bdi>{token.resourceOwnerId}</bdi>
          </Link>
        ),
    },
    {
      key: 'scopes',
      header: 'Scopes',
      value: ({ scopes }) => scopes.length,
      cell: ({ scopes }) => <Scopes scopes={scopes} />,
    },
    {
      key: 'created',
      header: 'Issued',
      value: ({ creationDate }) => creationDate,
      cell: ({ creationDate }) => <Moment time={creationDate} />,
    },
    {
      key: 'expires',
      header: 'Expires',
      value: ({ expires }) => expires || Number.POSITIVE_INFINITY,
      cell: ({ expires }) => <Moment time={expires} />,
    },
    ...(mayWrite ? [actionColumn(onAction)] : []),
  ];
}

const clientColumn: Column<AccessToken> = {
  key: 'client',
  header: 'Client',
  value: ({ clientId }) => clientId,
  cell: ({ clientId }) => <code>{clientId}</code>,
};

function actionColumn(onAction: (action: TokenAction) => void): Column<AccessToken> {
  return {
    key: 'actions',
    header: '',
    align: 'end',
    cell: (token) => (
      <div className="row-actions">
        <Button size="compact-xs" variant="default" onClick={() => onAction({ type: 'edit', token })}>
          Change
        </Button>
        <Button
          size="compact-xs"
          variant="outline"
          color="red"
          onClick={() => onAction({ type: 'revoke', token })}
        >
          Revoke
        </Button>
      </div>
    ),
  };
}

/** The client acts for itself. */
export function isOwnOf({ resourceOwnerAuthority }: Pick<AccessToken, 'resourceOwnerAuthority'>): boolean {
  return resourceOwnerAuthority.startsWith('client:');
}
