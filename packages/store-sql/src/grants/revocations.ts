import {
  changeDelay,
  endsOf,
  type RevocationPage,
  type RevocationStore,
  type RevokedClient,
  type RevokedToken,
} from '@watchword/protocol';
import { type Kysely, type Selectable, sql } from 'kysely';
import { commandOf } from '../hot/command.ts';
import type { HotAccess } from '../hot/hot-access.ts';
import { lookup } from '../hot/lookup.ts';
import { statements } from '../hot/statements.ts';
import { idFromBytes, idToBytes } from '../hot/token-id.ts';
import { readOtherServers } from '../queries/other-servers-column.ts';
import { parseScopes } from '../queries/scope-column.ts';
import type { ClientTable, Schema } from '../schema/schema.ts';

const revocation = lookup(
  { id: 'id' },
  { ended_at_servers: 'text?' },
  (byKey) => `revoked_token as t where ${byKey('t.id = :id', 't')}`,
);

/** The hot half of the store of revocations. */
export function hotRevocations(hot: HotAccess): Pick<RevocationStore, 'revokeToken' | 'findToken'> {
  return {
    revokeToken: async (token) =>
      (await hot.write(commandOf(statements.insertRevokedToken, revokedTokenRow(token)))) > 0,

    findToken: (id) =>
      hot.read(revocation, { id }, ({ ended_at_servers }) => ({ at: parseServers(ended_at_servers) })),
  };
}

export function revokedTokenRow({ id, at, clientRecordId, expires, revokedAt }: RevokedToken) {
  return {
    id,
    client_record_id: clientRecordId,
    expires,
    revoked_at: revokedAt,
    ended_at_servers: at === undefined ? null : at.join(),
  };
}

/** The resource servers at which a token has ended; `undefined`: at all. */
export function parseServers(ids: string | null): readonly number[] | undefined {
  return ids === null ? undefined : ids.split(',').map(Number);
}

export function sqlRevocations(
  db: Kysely<Schema>,
): Pick<RevocationStore, 'listTokens' | 'listGrants' | 'listClients'> {
  return {
    async listTokens(page) {
      const rows = await db
        .selectFrom('revoked_token')
        .selectAll()
        .where(isOnPage(page))
        .orderBy('revoked_at')
        .orderBy('id')
        .limit(page.limit)
        .execute();
      return rows.map(({ id, client_record_id, expires, revoked_at, ended_at_servers }) => ({
        id: idFromBytes(id),
        ...(ended_at_servers !== null && { at: parseServers(ended_at_servers) }),
        clientRecordId: client_record_id,
        expires,
        revokedAt: revoked_at,
      }));
    },

    async listGrants(page) {
      const rows = await revokedGrants(db, 'revoked_at', page)
        .unionAll(revokedGrants(db, 'part_ended_at', page))
        .orderBy('at')
        .orderBy('id')
        .limit(page.limit)
        .execute();
      return rows.map(({ id, client_record_id, creation_date, expires, at, ended }) => ({
        id: idFromBytes(id),
        ...(ended !== null && { at: endsOf(parseScopes(ended)) }),
        clientRecordId: client_record_id,
        creationDate: creation_date,
        expires,
        revokedAt: at ?? 0,
      }));
    },

    listClients: async (from) => [
      ...(await deletedClients(db, from)),
      ...(await clientsWithoutTokens(db, from)),
    ],
  };
}

/** @param column the time of the end: of the whole grant, or of a part of one that has not ended */
function revokedGrants(db: Kysely<Schema>, column: 'revoked_at' | 'part_ended_at', page: RevocationPage) {
  const isPart = column === 'part_ended_at';
  const grants = db
    .selectFrom('authorization_grant')
    .select(['id', 'client_record_id', 'creation_date', 'expires'])
    .select(sql.ref<number | null>(column).as('at'))
    .select((isPart ? sql.ref<string | null>('scopes') : sql<string | null>`cast(null as text)`).as('ended'))
    .where(column, 'is not', null)
    .where(isOnPage(page, column))
    .orderBy(column)
    .orderBy('id')
    .limit(page.limit);
  const found = isPart ? grants.where('revoked_at', 'is', null) : grants;
  // A part of a union has an order and a limit only as a query of its own.
  return db.selectFrom(found.as('part')).selectAll();
}

function isOnPage({ from, after }: RevocationPage, column: string = 'revoked_at') {
  const time = sql.ref(column);
  return after === undefined
    ? sql<boolean>`${time} >= ${from}`
    : sql<boolean>`${time} >= ${from} and (${time}, id) > (${after.revokedAt}, ${idToBytes(after.id)})`;
}

/** With the time of the last token that a process can have issued to them. */
async function deletedClients(db: Kysely<Schema>, from: number): Promise<RevokedClient[]> {
  const rows = await db
    .selectFrom('client')
    .select(['client_id', 'resource_server_id', 'other_servers', 'deleted_at'])
    .where('deleted_at', 'is not', null)
    .where('deleted_at', '>=', from - changeDelay)
    .execute();
  return rows.map((row) => toRevokedClient(row, (row.deleted_at ?? 0) + changeDelay));
}

async function clientsWithoutTokens(db: Kysely<Schema>, from: number): Promise<RevokedClient[]> {
  const rows = await db
    .selectFrom('client')
    .select(['client_id', 'resource_server_id', 'other_servers', 'tokens_valid_from'])
    .where('tokens_valid_from', '>', 0)
    .where('tokens_valid_from', '>=', from)
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map((row) => toRevokedClient(row, row.tokens_valid_from));
}

function toRevokedClient(
  row: Pick<Selectable<ClientTable>, 'client_id' | 'resource_server_id' | 'other_servers'>,
  revokedAt: number,
): RevokedClient {
  const { otherResourceServers, formerResourceServers } = readOtherServers(row.other_servers);
  const others = [...otherResourceServers, ...formerResourceServers];
  return {
    clientId: row.client_id,
    resourceServerId: row.resource_server_id,
    otherResourceServerIds: others.map(({ resourceServerId }) => resourceServerId),
    revokedAt,
  };
}
