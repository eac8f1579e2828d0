import type { Grant } from '@watchword/admin-client';
import type { Column } from '../../components/data-table.tsx';
import { RowMenu } from '../../components/row-menu.tsx';
import { Scopes } from '../../components/scopes.tsx';
import { Timestamp } from '../../components/timestamp.tsx';
import { count } from '../../format/count.ts';
import { Link } from '../../router/link.tsx';
import { routeTo } from '../../router/place.ts';
import { routes } from '../../router/routes.ts';
import type { Ending } from './end-dialog.tsx';

interface AccessColumnOptions {
  readonly withClient: boolean;
  readonly mayWrite: boolean;
  readonly onEnd: (ending: Ending) => void;
}

export function accessColumns({
  withClient,
  mayWrite,
  onEnd,
}: AccessColumnOptions): readonly Column<Grant>[] {
  return [
    personColumn,
    ...(withClient ? [clientColumn, resourceServerColumn] : []),
    {
      key: 'scopes',
      header: 'Scopes',
      isFlexible: true,
      value: ({ scopes, consentedScopes }) => scopes.length || consentedScopes.length,
      cell: (grant) => (
        <Scopes scopes={isConsentAlone(grant) ? grant.consentedScopes : grant.scopes} isShort />
      ),
    },
    {
      key: 'since',
      header: 'Since',
      value: ({ creationDate }) => creationDate,
      cell: ({ creationDate }) => <Timestamp time={creationDate} />,
    },
    {
      key: 'used',
      header: 'Last token',
      value: ({ lastUsed }) => lastUsed ?? 0,
      cell: ({ lastUsed }) =>
        lastUsed === null ? <span className="quiet">–</span> : <Timestamp time={lastUsed} />,
    },
    {
      key: 'holds',
      header: 'Holds',
      value: holds,
      cell: (grant) => <span className="one-line">{holds(grant)}</span>,
    },
    ...(mayWrite ? [actionColumn(onEnd)] : []),
  ];
}

/** No grant is active: only the consent is remembered. */
export function isConsentAlone({ lastUsed }: Pick<Grant, 'lastUsed'>): boolean {
  return lastUsed === null;
}

/** What the client has: "refresh token, 2 access tokens, consent". */
function holds(grant: Grant): string {
  const { refreshToken, accessTokens, consentedScopes } = grant;
  if (isConsentAlone(grant)) return 'consent alone';
  const parts = [
    ...(refreshToken ? ['refresh token'] : []),
    ...(accessTokens > 0 ? [count(accessTokens, 'access token')] : []),
    ...(consentedScopes.length > 0 ? ['consent'] : []),
  ];
  return parts.join(', ') || 'an unused code';
}

const personColumn: Column<Grant> = {
  key: 'person',
  header: 'Person',
  value: ({ resourceOwnerId }) => resourceOwnerId,
  cell: ({ resourceOwnerId, resourceOwnerAuthority, subject, principal }) => (
    <Link
      className="one-line"
      to={routeTo(routes.access, { subject })}
      title={`${resourceOwnerId}, from ${resourceOwnerAuthority}`}
    >
      <bdi>{principal?.attributes.DISPLAY_NAME ?? resourceOwnerId}</bdi>
    </Link>
  ),
};

const clientColumn: Column<Grant> = {
  key: 'client',
  header: 'Client',
  value: ({ clientName }) => clientName,
  cell: ({ clientId, clientName }) => (
    <Link className="one-line" to={routeTo(routes.access, { client: clientId })} title={clientId}>
      {clientName}
    </Link>
  ),
};

const resourceServerColumn: Column<Grant> = {
  key: 'server',
  header: 'Resource server',
  value: ({ resourceServerName }) => resourceServerName,
  cell: ({ resourceServerName }) => (
    <span className="one-line" title={resourceServerName}>
      {resourceServerName}
    </span>
  ),
};

function actionColumn(onEnd: (ending: Ending) => void): Column<Grant> {
  return {
    key: 'actions',
    header: '',
    align: 'end',
    cell: (grant) => (
      <RowMenu
        label={`Actions on the access of ${grant.clientId} for ${grant.resourceOwnerId}`}
        actions={[
          { label: 'End this access', onClick: () => onEnd({ of: 'one', grant }), isDangerous: true },
          {
            label: `End all of ${grant.resourceOwnerId}`,
            onClick: () => onEnd({ of: 'person', grant }),
            isDangerous: true,
          },
        ]}
      />
    ),
  };
}
