import type { DatabaseSync } from 'node:sqlite';
import type { IdentityProviderStore, UsedRows } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
import type { Schema } from '../../schema.ts';
import type { SnapshotRead } from './snapshot-reads.ts';
import { type OrderedTable, windows } from './windows.ts';

// Rows that are changed in one transaction: others wait for it.
const batchSize = 500;

const noBytes = Buffer.alloc(0);

type IdKey = readonly [id: Uint8Array];

/** The primary key of a consent, without the identity provider. */
const consentRest = 'client_record_id, principal_name, redirect_uri';
type ConsentRest = readonly [clientRecordId: number, principalName: string, redirectUri: string];

/** What people have. */
const tables: Readonly<Record<keyof UsedRows, OrderedTable>> = {
  loginSessions: {
    table: 'login_session',
    where: 'true',
    key: ['identity_provider', 'principal_name', 'id'],
    start: ['', '', noBytes],
  },
  grants: {
    table: 'authorization_grant',
    where: 'revoked_at is null',
    key: ['principal_name', 'identity_provider', 'id'],
    start: ['', '', noBytes],
  },
  consents: {
    table: 'consent',
    where: 'true',
    key: ['client_record_id', 'identity_provider', 'principal_name', 'redirect_uri'],
    start: [0, '', '', ''],
  },
};

/**
 * There is no index by identity provider: every login would pay for a question that is asked once in a while. So the
 * tables are read whole.
 */
export function sqliteIdentityProviders(
  reader: DatabaseSync,
  read: SnapshotRead,
  db: Kysely<Schema>,
): IdentityProviderStore {
  const connection = { reader, read };

  const count = async (table: OrderedTable): Promise<ReadonlyMap<string, number>> => {
    const counts = new Map<string, number>();
    const select = (from: string) =>
      `select identity_provider, count(*) from ${from} group by identity_provider`;
    for await (const rows of windows<[string, number]>(connection, table, 'identity_provider', select)) {
      for (const [name, found] of rows) counts.set(name, (counts.get(name) ?? 0) + found);
    }
    return counts;
  };

  /** @param change ends the rows with these keys; resolves with the number of rows */
  const endAll = async <Key>(
    table: OrderedTable,
    key: string,
    identityProvider: string,
    change: (keys: Key[]) => Promise<bigint>,
  ): Promise<number> => {
    let ended = 0;
    const select = (from: string) => `select ${key} from ${from} where identity_provider = ?`;
    const columns = `${key}, identity_provider`;
    for await (const rows of windows<Key>(connection, table, columns, select, identityProvider)) {
      for (let start = 0; start < rows.length; start += batchSize) {
        ended += Number(await change(rows.slice(start, start + batchSize)));
      }
    }
    return ended;
  };

  return {
    async list() {
      const loginSessions = await count(tables.loginSessions);
      const grants = await count(tables.grants);
      const consents = await count(tables.consents);
      const names = new Set([...loginSessions.keys(), ...grants.keys(), ...consents.keys()]);
      return [...names].sort().map((identityProvider) => ({
        identityProvider,
        loginSessions: loginSessions.get(identityProvider) ?? 0,
        grants: grants.get(identityProvider) ?? 0,
        consents: consents.get(identityProvider) ?? 0,
      }));
    },

    end: async (identityProvider, now) => ({
      // Sessions first: with one a grant could still be made.
      loginSessions: await endAll<IdKey>(tables.loginSessions, 'id', identityProvider, async (keys) => {
        const deletion = db.deleteFrom('login_session').where('id', 'in', keys.flat());
        return (await deletion.executeTakeFirstOrThrow()).numDeletedRows;
      }),
      grants: await endAll<IdKey>(tables.grants, 'id', identityProvider, async (keys) => {
        const revocation = db
          .updateTable('authorization_grant')
          .set({ revoked_at: now })
          .where('id', 'in', keys.flat())
          .where('revoked_at', 'is', null);
        return (await revocation.executeTakeFirstOrThrow()).numUpdatedRows;
      }),
      consents: await endAll<ConsentRest>(tables.consents, consentRest, identityProvider, async (keys) => {
        const deletion = db
          .deleteFrom('consent')
          .where('identity_provider', '=', identityProvider)
          .where(isOneOf(keys));
        return (await deletion.executeTakeFirstOrThrow()).numDeletedRows;
      }),
    }),
  };
}

function isOneOf(keys: readonly ConsentRest[]) {
  const values = keys.map(([client, name, uri]) => sql`(cast(${client} as bigint), ${name}, ${uri})`);
  return sql<boolean>`(${sql.raw(consentRest)}) in (values ${sql.join(values)})`;
}
