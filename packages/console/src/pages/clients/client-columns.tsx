import type { Client, ResourceServer } from '@watchword/admin-client';
import { Owner } from '../../components/records/owner.tsx';
import { Scopes } from '../../components/records/scopes.tsx';
import { WeakSecretNote } from '../../components/records/weak-secret.tsx';
import type { Column } from '../../components/tables/data-table.tsx';
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

export const clientColumns = (): readonly Column<ClientRow>[] => [
  {
    key: 'name',
    header: t('servers.name'),
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
    header: 'clientId',
    value: ({ client }) => client.clientId,
    cell: ({ client }) => (
      <>
        <code>{client.clientId}</code>
        <WeakSecretNote record={client} />
      </>
    ),
  },
  {
    key: 'grants',
    header: t('clients.getsTokensBy'),
    value: ({ client }) => grantsOf(client).join(),
    cell: ({ client }) => {
      const grants = grantsOf(client);
      return grants.length === 0 ? (
        <span className="warn-text">{t('clients.nothingYet')}</span>
      ) : (
        grants.join(', ')
      );
    },
  },
  {
    key: 'scopes',
    header: t('scopes.label'),
    value: ({ client }) => client.scopes.length,
    cell: ({ client }) => <Scopes scopes={client.scopes} />,
  },
  {
    key: 'lifetime',
    header: t('clients.lifetime'),
    value: ({ client }) => client.expireDuration || Number.POSITIVE_INFINITY,
    cell: ({ client }) => <TokenLifetime client={client} />,
  },
];

export const resourceServerColumn = (): Column<ClientRow> => ({
  key: 'resourceServer',
  header: t('servers.one'),
  value: ({ resourceServer }) => resourceServer.name,
  cell: ({ resourceServer }) => (
    <Link to={resourceServerRoute(resourceServer.id)}>
      <bdi>{resourceServer.name}</bdi>
    </Link>
  ),
});

export const ownerColumn = (): Column<ClientRow> => ({
  key: 'owner',
  header: t('servers.owner'),
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
