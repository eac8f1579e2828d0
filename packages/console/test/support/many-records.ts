import { engine } from '@watchword/server-testkit/servers/engine';
import type { TestServer } from '@watchword/server-testkit/servers/server';
import { sql } from '@watchword/server-testkit/servers/sql';
import { buildResourceOwner, grantFactory } from '@watchword/testkit';

const commonMetadata = { description: '', contactName: 'Operations', contactEmail: '', thumbNailUrl: '' };

/** Inserts rows directly, because the interface would take longer than the tests. */
export function addClients(database: string, resourceServerId: number, count: number): Promise<void> {
  return insertMany(database, 'client', count, {
    client_id: "'client-' || n",
    client_name: "'Client ' || n",
    resource_server_id: String(resourceServerId),
    scopes: "'read'",
    skip_consent: '0',
    is_trusted: '0',
    tokens_valid_from: '0',
    metadata: jsonText({
      ...commonMetadata,
      redirectUris: [],
      allowedClientCredentials: true,
      allowedImplicitGrant: false,
      useRefreshTokens: false,
      includePrincipal: false,
      expireDuration: 60,
      attributes: {},
    }),
  });
}

export function addResourceServers(database: string, count: number): Promise<void> {
  return insertMany(database, 'resource_server', count, {
    server_key: "'api-' || n",
    server_name: "'API ' || n",
    secret_hash: { sqlite: "x'00'", postgresql: "'\\x00'::bytea" }[engine],
    scopes: "'read'",
    owner_identity_provider: "''",
    owner_name: "'operator'",
    metadata: jsonText(commonMetadata),
  });
}

/** Grants of `person 1a`, the oldest, to `person {count}`, the newest, each with an access token. */
export async function addGrants(
  { service }: TestServer,
  clientRecordId: number,
  count: number,
): Promise<void> {
  const make = grantFactory();
  const now = Date.now();
  const inserted = Array.from({ length: count }, (_, index) => {
    const owner = buildResourceOwner(`person ${index + 1}${index === 0 ? 'a' : ''}`, 'noop-admin');
    const grant = make.grant({ owner, clientRecordId, scopes: ['read'], creationDate: now - count + index });
    return service.store.grants.insert(grant, make.tokens(grant).accessToken);
  });
  await Promise.all(inserted);
}

function jsonText(value: object): string {
  return `'${JSON.stringify(value)}'`;
}

/** @param values SQL for each column, in which `n` is the number of the row from 1 */
async function insertMany(
  database: string,
  table: string,
  count: number,
  values: Record<string, string>,
): Promise<void> {
  const all = {
    id: `(select last_number from number_sequence where sequence_name = '${table}') + n`,
    ...{ previous_secret_valid_until: '0', creation_date: '1' },
    ...{ revision: '(select revision + 1 from registry_revision)' },
    ...values,
  };
  await sql(
    database,
    `with recursive number(n) as (select 1 union all select n + 1 from number where n < ?)
      insert into ${table} (${Object.keys(all).join(', ')}) select ${Object.values(all).join(', ')} from number`,
    count,
  );
  const last = 'update number_sequence set last_number = last_number + ? where sequence_name = ?';
  await sql(database, last, count, table);
  // The server reads records with a revision greater than the last one that it has read.
  await sql(database, 'update registry_revision set revision = revision + 1');
}
