import type { Client, ResourceServer } from '@watchword/admin-client';
import { Owner } from '../../components/records/owner.tsx';
import { Scopes } from '../../components/records/scopes.tsx';
import { WeakSecretNote } from '../../components/records/weak-secret.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
import { LastUse } from '../../components/tables/last-use.tsx';
import { useEnvironment } from '../../environment.ts';
import { lifetime } from '../../format/time.ts';
import { Link } from '../../router/link.tsx';
import { clientRoute, resourceServerRoute } from '../../router/routes.ts';
import { t } from '../../texts/texts.ts';
import { grantsOf } from './grants-of.ts';

export interface ClientRow {
  readonly client: Client;
  readonly resourceServer: ResourceServer;
}

export const clientColumns = (isAdministrator: boolean): readonly Column<ClientRow>[] => [
  ...mainColumns(),
  resourceServerColumn(),
  ...extraColumns(),
  ...(isAdministrator ? [ownerColumn()] : []),
];

/** Of the clients of one resource server. */
export const columnsOfClients = (): readonly Column<ClientRow>[] => [...mainColumns(), ...extraColumns()];

const mainColumns = (): readonly Column<ClientRow>[] => [
  {
    key: 'name',
    header: t('servers.name'),
    isFixed: true,
    isFlexible: true,
    value: ({ client }) => client.clientName,
    cell: ({ client }) => (
      <>
        <Link to={clientRoute(client.resourceserver_id, client.id)} className="row-link">
          <bdi>{client.clientName}</bdi>
        </Link>
        {client.description !== '' && (
          <p className="row-note">
            <bdi>{client.description}</bdi>
          </p>
        )}
        {client.withheldScopes !== undefined && (
          <p className="row-note warn-text">
            {t('clients.withheld', { scopes: client.withheldScopes.join(', ') })}
          </p>
        )}
      </>
    ),
  },
  {
    key: 'clientId',
    header: t('client.idName'),
    value: ({ client }) => client.clientId,
    cell: ({ client }) => (
      <>
        <code className="one-line" title={client.clientId}>
          {client.clientId}
        </code>
        <WeakSecretNote record={client} />
      </>
    ),
  },
  {
    key: 'grants',
    header: t('clients.getsTokensBy'),
    value: ({ client }) => grantsOf(client).join(),
    cell: ({ client }) => {
      // Refresh tokens come with codes, so they tell no clients apart.
      const grants = grantsOf({ ...client, useRefreshTokens: false });
      return grants.length === 0 ? (
        <span className="warn-text">{t('clients.nothingYet')}</span>
      ) : (
        <div>
          {grants.map((grant, index) => (
            <span key={grant}>
              {index > 0 && ' '}
              <span className="unbroken">
                {grant}
                {index < grants.length - 1 && ','}
              </span>
            </span>
          ))}
        </div>
      );
    },
  },
  {
    key: 'lastIssued',
    header: t('clients.lastUse'),
    value: ({ client }) => client.lastIssued ?? 0,
    cell: ({ client }) => <LastUse time={client.lastIssued} />,
  },
];

/** Hidden until the user chooses them. */
const extraColumns = (): readonly Column<ClientRow>[] => [
  {
    key: 'scopes',
    header: t('scopes.label'),
    isExtra: true,
    value: ({ client }) => client.scopes.join(),
    cell: ({ client }) => <Scopes scopes={client.scopes} isShort />,
  },
  {
    key: 'lifetime',
    header: t('clients.lifetime'),
    isExtra: true,
    value: ({ client }) => client.expireDuration || Number.POSITIVE_INFINITY,
    cell: ({ client }) => <TokenLifetime client={client} />,
  },
];

const resourceServerColumn = (): Column<ClientRow> => ({
  key: 'resourceServer',
  header: t('servers.one'),
  value: ({ resourceServer }) => resourceServer.name,
  cell: ({ resourceServer }) => (
    <Link to={resourceServerRoute(resourceServer.id)} className="one-line" title={resourceServer.name}>
      <bdi>{resourceServer.name}</bdi>
    </Link>
  ),
});

const ownerColumn = (): Column<ClientRow> => ({
  key: 'owner',
  header: t('servers.owner'),
  isExtra: true,
  value: ({ resourceServer }) => resourceServer.owner,
  cell: ({ resourceServer }) => <Owner {...resourceServer} />,
});

/** What is searched. */
export function clientTexts({ client, resourceServer }: ClientRow): string[] {
  const { clientName, clientId, description, contactName, contactEmail } = client;
  return [
    clientName,
    clientId,
    description,
    contactName,
    contactEmail,
    resourceServer.name,
    resourceServer.owner,
  ];
}

/** The lifetime of access tokens of a client at this server. */
function TokenLifetime({ client }: { readonly client: Client }) {
  const { implicitLifetime } = useEnvironment();
  return lifetime(client, implicitLifetime);
}
