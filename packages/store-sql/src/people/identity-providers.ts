import type { IdentityProviderStore, UsedRows } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
import { endClientsOf, type SessionEnds } from '../logins/session-ends.ts';
import { type OrderedTable, tableWindows } from '../queries/table-windows.ts';
import type { Schema } from '../schema/schema.ts';

// Rows that are changed in one transaction. Other writes wait for it.
const batchSize = 500;

const noBytes = Buffer.alloc(0);

/** The rows of the users of an identity provider. */
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

/** What is no access, so that it is not counted, and the column by which its rows are deleted. */
const uncounted = [
  { table: 'step_record', where: 'true', key: ['subject', 'step_name'], start: ['', ''], by: 'subject' },
  { table: 'credential', where: 'true', key: ['id'], start: [''], by: 'id' },
] as const satisfies readonly (OrderedTable & { readonly by: string })[];

interface IdRow {
  readonly id: Uint8Array;
}

/** The primary key of a consent, without the identity provider. */
interface ConsentRow {
  readonly client_record_id: number;
  readonly principal_name: string;
  readonly redirect_uri: string;
}

/**
 * There is no index by identity provider: every login would pay for a query that is rare. So whole tables are
 * read.
 */
export function sqlIdentityProviders(db: Kysely<Schema>, ends: SessionEnds): IdentityProviderStore {
  return {
    async list() {
      const loginSessions = await countRows(db, tables.loginSessions);
      const grants = await countRows(db, tables.grants);
      const consents = await countRows(db, tables.consents);
      const names = new Set([...loginSessions.keys(), ...grants.keys(), ...consents.keys()]);
      return [...names].sort().map((identityProvider) => ({
        identityProvider,
        loginSessions: loginSessions.get(identityProvider) ?? 0,
        grants: grants.get(identityProvider) ?? 0,
        consents: consents.get(identityProvider) ?? 0,
      }));
    },

    end: async (identityProvider, now) => {
      const ended = await endUse(db, ends, identityProvider, now);
      for (const table of uncounted) {
        await endAll<Record<string, string>>(db, table, [table.by], identityProvider, async (rows) => {
          const deletion = db
            .deleteFrom(table.table)
            .where(sql.ref('identity_provider'), '=', identityProvider)
            .where(sql.ref(table.by), 'in', sql`(${sql.join(rows.map((row) => row[table.by]))})`);
          return (await deletion.executeTakeFirstOrThrow()).numDeletedRows;
        });
      }
      return ended;
    },
  };
}

async function endUse(
  db: Kysely<Schema>,
  ends: SessionEnds,
  identityProvider: string,
  now: number,
): Promise<UsedRows> {
  return {
    // Sessions first, because a session can still create a grant.
    loginSessions: await endAll<IdRow>(db, tables.loginSessions, ['id'], identityProvider, async (rows) => {
      const ids = idsOf(rows);
      const ended = await db.transaction().execute(async (transaction) => {
        await endClientsOf(transaction, ids, now);
        return transaction.deleteFrom('login_session').where('id', 'in', ids).executeTakeFirstOrThrow();
      });
      // Those that were stored at the same time.
      await endClientsOf(db, ids, now);
      ends.report();
      return ended.numDeletedRows;
    }),
    grants: await endAll<IdRow>(db, tables.grants, ['id'], identityProvider, async (rows) => {
      const revocation = db
        .updateTable('authorization_grant')
        .set({ revoked_at: now })
        .where('id', 'in', idsOf(rows))
        .where('revoked_at', 'is', null);
      return (await revocation.executeTakeFirstOrThrow()).numUpdatedRows;
    }),
    consents: await endAll<ConsentRow>(db, tables.consents, consentKey, identityProvider, async (rows) => {
      const deletion = db
        .deleteFrom('consent')
        .where('identity_provider', '=', identityProvider)
        .where(isOneOf(rows));
      return (await deletion.executeTakeFirstOrThrow()).numDeletedRows;
    }),
  };
}

/** Rows by identity provider. */
async function countRows(db: Kysely<Schema>, table: OrderedTable): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const windows = tableWindows(db, table, (condition) =>
    db
      .selectFrom(table.table)
      .select(sql.ref<string>('identity_provider').as('name'))
      .select(({ fn }) => fn.countAll<number>().as('found'))
      .where(condition)
      .groupBy(sql.ref('identity_provider'))
      .execute(),
  );
  for await (const rows of windows) {
    for (const { name, found } of rows) counts.set(name, (counts.get(name) ?? 0) + Number(found));
  }
  return counts;
}

/** @param change ends the rows with these keys; resolves with the number of rows */
async function endAll<Row>(
  db: Kysely<Schema>,
  table: OrderedTable,
  key: readonly (string & keyof Row)[],
  identityProvider: string,
  change: (rows: Row[]) => Promise<bigint>,
): Promise<number> {
  let ended = 0;
  const windows = tableWindows(db, table, (condition) =>
    db
      .selectFrom(table.table)
      .select(key.map((column) => sql.ref(column).as(column)))
      .where(condition)
      .where(sql.ref('identity_provider'), '=', identityProvider)
      .execute(),
  );
  for await (const rows of windows) {
    for (let start = 0; start < rows.length; start += batchSize) {
      ended += Number(await change(rows.slice(start, start + batchSize) as Row[]));
    }
  }
  return ended;
}

function idsOf(rows: readonly IdRow[]): Uint8Array[] {
  return rows.map(({ id }) => id);
}

const consentKey = ['client_record_id', 'principal_name', 'redirect_uri'] as const;

function isOneOf(rows: readonly ConsentRow[]) {
  const values = rows.map(
    (row) => sql`(cast(${row.client_record_id} as bigint), ${row.principal_name}, ${row.redirect_uri})`,
  );
  return sql<boolean>`(${sql.join(consentKey.map((column) => sql.ref(column)))}) in (values ${sql.join(values)})`;
}
