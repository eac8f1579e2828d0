import type { DatabaseSync } from 'node:sqlite';
import type { IdentityProviderStore, UsedRows } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../../schema.ts';
import type { SnapshotRead } from './snapshot-reads.ts';
import { type OrderedTable, windows } from './windows.ts';

// Rows that are changed in one transaction: others wait for it.
const batchSize = 500;

const noBytes = Buffer.alloc(0);

/** What people have. */
const tables: Readonly<Record<keyof UsedRows, OrderedTable>> = {
  loginSessions: {
    table: 'login_session',
    where: 'true',
    key: ['authority', 'principal_name', 'id'],
    start: ['', '', noBytes],
  },
  grants: {
    table: '"grant"',
    where: 'revoked_at is null',
    key: ['principal_name', 'authority', 'id'],
    start: ['', '', noBytes],
  },
  consents: { table: 'consent', where: 'true', key: ['id'], start: [0] },
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
    const select = (from: string) => `select authority, count(*) from ${from} group by authority`;
    for await (const rows of windows<[string, number]>(connection, table, 'authority', select)) {
      for (const [authority, found] of rows) counts.set(authority, (counts.get(authority) ?? 0) + found);
    }
    return counts;
  };

  /** @param change ends what has these ids; resolves with how many there were */
  const endAll = async <Id>(
    table: OrderedTable,
    identityProvider: string,
    change: (ids: Id[]) => Promise<bigint>,
  ): Promise<number> => {
    let ended = 0;
    const select = (from: string) => `select id from ${from} where authority = ?`;
    for await (const rows of windows<[Id]>(connection, table, 'id, authority', select, identityProvider)) {
      for (let start = 0; start < rows.length; start += batchSize) {
        ended += Number(await change(rows.slice(start, start + batchSize).map(([id]) => id)));
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
      loginSessions: await endAll<Uint8Array>(tables.loginSessions, identityProvider, async (ids) => {
        const deletion = db.deleteFrom('login_session').where('id', 'in', ids);
        return (await deletion.executeTakeFirstOrThrow()).numDeletedRows;
      }),
      grants: await endAll<Uint8Array>(tables.grants, identityProvider, async (ids) => {
        const revocation = db.updateTable('grant').set({ revoked_at: now }).where('id', 'in', ids);
        return (await revocation.where('revoked_at', 'is', null).executeTakeFirstOrThrow()).numUpdatedRows;
      }),
      consents: await endAll<number>(tables.consents, identityProvider, async (ids) => {
        const deletion = db.deleteFrom('consent').where('id', 'in', ids);
        return (await deletion.executeTakeFirstOrThrow()).numDeletedRows;
      }),
    }),
  };
}
