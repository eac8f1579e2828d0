import {
  accountIdentityProvider,
  type CountedPeople,
  type Credential,
  type CredentialStore,
  type FactorCounts,
} from '@watchword/protocol';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { HotAccess } from '../hot/hot-access.ts';
import { lookup } from '../hot/lookup.ts';
import type { CredentialTable } from '../schema/people-tables.ts';
import type { Schema } from '../schema/schema.ts';

const existence = lookup(
  { subject: 'text' },
  { kind: 'text' },
  (byKey) => `credential as t where ${byKey('t.subject = :subject', 't')} limit 1`,
  { routedBy: [] },
);

/** Each login asks for the credentials of its person. Most people have none, which a hot lookup tells at a tenth of the cost. */
export function hotCredentials(hot: HotAccess, credentials: CredentialStore): CredentialStore {
  // Hot lookups find the shards of rows there, and these rows have none.
  if (hot.hasShards) return credentials;
  const hasAny = async (subject: string) => (await hot.read(existence, { subject }, () => true)) === true;
  return {
    ...credentials,
    listBySubject: async (subject) => ((await hasAny(subject)) ? credentials.listBySubject(subject) : []),
  };
}

/** @param near for reads */
export function sqlCredentials(db: Kysely<Schema>, near: Kysely<Schema> = db): CredentialStore {
  return {
    async listBySubject(subject) {
      const rows = near.selectFrom('credential').selectAll().where('subject', '=', subject);
      return (await rows.orderBy('creation_date').orderBy('id').execute()).map(toCredential);
    },

    async listByOwner({ identityProvider, name }) {
      const rows = near
        .selectFrom('credential')
        .selectAll()
        .where('identity_provider', '=', identityProvider);
      const own = rows.where('principal_name', '=', name).orderBy('creation_date').orderBy('id');
      return (await own.execute()).map(toCredential);
    },

    async findById(id) {
      const row = await near.selectFrom('credential').selectAll().where('id', '=', id).executeTakeFirst();
      return row && toCredential(row);
    },

    async findByHandle(handle) {
      const rows = near.selectFrom('credential').selectAll().where('handle', '=', handle);
      const row = await rows.executeTakeFirst();
      return row && toCredential(row);
    },

    countPeople: () => countPeople(db),

    create: (credential, limit) => createCredential(db, credential, limit),

    async use(id, { counter, lastUsed, data }) {
      const { numUpdatedRows } = await db
        .updateTable('credential')
        .set({
          use_counter: counter,
          last_used: lastUsed,
          ...(data !== undefined && { credential_data: data }),
        })
        .where('id', '=', id)
        .where('use_counter', counter === 0 ? '=' : '<', counter)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async rename(subject, id, name) {
      const { numUpdatedRows } = await db
        .updateTable('credential')
        .set({ credential_name: name })
        .where('id', '=', id)
        .where('subject', '=', subject)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async delete(subject, id) {
      const { numDeletedRows } = await db
        .deleteFrom('credential')
        .where('id', '=', id)
        .where('subject', '=', subject)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },

    async deleteBySubject(subject, kinds) {
      const own = db.deleteFrom('credential').where('subject', '=', subject);
      const meant = kinds === undefined ? own : own.where('kind', 'in', [...kinds]);
      return Number((await meant.executeTakeFirstOrThrow()).numDeletedRows);
    },
  };
}

async function createCredential(
  db: Kysely<Schema>,
  { id, subject, owner, kind, name, creationDate, lastUsed, handle, counter, data }: Credential,
  limit: number,
): Promise<boolean> {
  const values = [
    ...[id, subject, owner.identityProvider, owner.name, kind, name],
    ...[creationDate, lastUsed, handle ?? null, counter, data],
  ];
  const result = await sql`
    insert into credential (id, subject, identity_provider, principal_name, kind, credential_name,
      creation_date, last_used, handle, use_counter, credential_data)
    select ${sql.join(values)}
    where (select count(*) from credential as other where other.subject = ${subject} and other.kind = ${kind}) < ${limit}
    on conflict do nothing`.execute(db);
  return (result.numAffectedRows ?? 0n) > 0n;
}

/** Reads each table once: a lookup for each account would cost many times as much. */
async function countPeople(db: Kysely<Schema>): Promise<CountedPeople> {
  const has = (kind: Credential['kind']) => sql`max(case when kind = ${kind} then 1 else 0 end)`;
  const kinds = sql`${has('passkey')} as passkey, ${has('totp')} as totp, ${has('recovery_code')} as codes`;
  const counts = sql`count(*) as people, sum(coalesce(passkey, 0)) as passkey, sum(coalesce(totp, 0)) as totp,
    sum(coalesce(codes, 0)) as codes, sum(case when coalesce(passkey, 0) + coalesce(totp, 0) = 0 then 1 else 0 end) as none`;
  const ofAccounts = await sql<CountRow & { readonly admin_principal: number }>`
    select admin_principal, ${counts} from account
    left join (select principal_name, ${kinds} from credential
      where identity_provider = ${accountIdentityProvider} group by principal_name) as own
    on own.principal_name = account.username
    where account.disabled = 0 group by admin_principal`.execute(db);
  const ofOthers = await sql<CountRow>`
    select ${counts} from (select subject, ${kinds} from credential
      where identity_provider <> ${accountIdentityProvider} and kind <> 'trusted_browser' group by subject) as own`.execute(
    db,
  );
  const administrators = ofAccounts.rows.filter((row) => Number(row.admin_principal) === 1);
  return {
    accounts: sumOf(ofAccounts.rows),
    administrators: sumOf(administrators),
    others: sumOf(ofOthers.rows),
  };
}

/** Text where a sum is greater than a number of the database, and `null` of no rows. */
type CountRow = Readonly<
  Record<'people' | 'passkey' | 'totp' | 'codes' | 'none', number | bigint | string | null>
>;

function sumOf(rows: readonly CountRow[]): FactorCounts {
  const sum = (name: keyof CountRow) => rows.reduce((total, row) => total + Number(row[name]), 0);
  return {
    ...{ people: sum('people'), passkey: sum('passkey'), totp: sum('totp') },
    ...{ recoveryCodes: sum('codes'), none: sum('none') },
  };
}

function toCredential(row: Selectable<CredentialTable>): Credential {
  return {
    id: row.id,
    subject: row.subject,
    owner: { identityProvider: row.identity_provider, name: row.principal_name },
    kind: row.kind,
    name: row.credential_name,
    creationDate: row.creation_date,
    lastUsed: row.last_used,
    ...(row.handle !== null && { handle: row.handle }),
    counter: row.use_counter,
    data: row.credential_data,
  };
}
