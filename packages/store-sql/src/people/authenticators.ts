import type { AuthenticatorOrigin, AuthenticatorStore, StoredAuthenticator } from '@watchword/protocol';
import type { Kysely, Selectable } from 'kysely';
import type { AuthenticatorTable } from '../schema/people-tables.ts';
import type { Schema } from '../schema/schema.ts';

/** @param revision of the transaction that changes authenticators */
export function sqlAuthenticators(db: Kysely<Schema>, revision = 0): AuthenticatorStore {
  const use = (names: readonly string[], origin: AuthenticatorOrigin) =>
    db
      .insertInto('authenticator_name')
      .values(names.map((name) => ({ authenticator_name: name, origin })))
      .onConflict((conflict) => conflict.column('authenticator_name').doNothing())
      .returning('authenticator_name')
      .execute();
  return {
    async heads() {
      const heads = db.selectFrom('authenticator').select(['authenticator_name', 'revision']);
      const rows = await heads.orderBy('creation_date').orderBy('authenticator_name').execute();
      return rows.map((row) => ({ name: row.authenticator_name, revision: row.revision }));
    },

    async find(name) {
      const row = await db
        .selectFrom('authenticator')
        .selectAll()
        .where('authenticator_name', '=', name)
        .executeTakeFirst();
      return row && toAuthenticator(row);
    },

    async names() {
      const rows = await db
        .selectFrom('authenticator_name')
        .selectAll()
        .orderBy('authenticator_name')
        .execute();
      return rows.map((row) => ({
        name: row.authenticator_name,
        origin: row.origin as AuthenticatorOrigin,
      }));
    },

    async insert(authenticator) {
      const { name, kind, creationDate } = authenticator;
      if ((await use([name], 'database')).length === 0) return false;
      await db
        .insertInto('authenticator')
        .values({
          authenticator_name: name,
          kind,
          creation_date: creationDate,
          ...changing(authenticator),
          revision,
        })
        .execute();
      return true;
    },

    async update(authenticator) {
      await db
        .updateTable('authenticator')
        .set({ ...changing(authenticator), revision })
        .where('authenticator_name', '=', authenticator.name)
        .execute();
    },

    async remove(name) {
      await db.deleteFrom('authenticator').where('authenticator_name', '=', name).execute();
    },

    async useNames(names) {
      if (names.length > 0) await use(names, 'configuration');
    },
  };
}

/** The columns that change. */
function changing({ label, enabled, settings, modificationDate }: Omit<StoredAuthenticator, 'revision'>) {
  return {
    authenticator_label: label,
    enabled: enabled ? 1 : 0,
    settings: JSON.stringify(settings),
    modification_date: modificationDate,
  };
}

function toAuthenticator(row: Selectable<AuthenticatorTable>): StoredAuthenticator {
  return {
    name: row.authenticator_name,
    kind: row.kind,
    label: row.authenticator_label,
    enabled: row.enabled === 1,
    settings: JSON.parse(row.settings),
    creationDate: row.creation_date,
    modificationDate: row.modification_date,
    revision: row.revision,
  };
}
