import type { AdministrativeRight, EndedRights, RightStore } from '@watchword/protocol';
import { type CompiledQuery, type Kysely, type Selectable, sql } from 'kysely';
import type { AdministrativeRightTable } from '../schema/people-tables.ts';
import type { Schema } from '../schema/schema.ts';

export function sqlRights(db: Kysely<Schema>): RightStore {
  const select = async (selection: EndedRights): Promise<AdministrativeRight[]> => {
    const rights = db.selectFrom('administrative_right').selectAll().where(isSelected(selection));
    const rows = await rights.orderBy('client_record_id').orderBy('right_name').execute();
    return rows.map(toRight);
  };
  // Each login asks for all rights, and to build the query took longer than to run it.
  let everyRight: CompiledQuery<Selectable<AdministrativeRightTable>> | undefined;
  return {
    async list(clientRecordId) {
      if (clientRecordId !== undefined) return select({ clientRecordId });
      everyRight ??= db
        .selectFrom('administrative_right')
        .selectAll()
        .orderBy('client_record_id')
        .orderBy('right_name')
        .compile();
      return (await db.executeQuery(everyRight)).rows.map(toRight);
    },

    async give({ clientRecordId, right, giver, creationDate }) {
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('administrative_right')
        .values({
          client_record_id: clientRecordId,
          right_name: right,
          identity_provider: giver.identityProvider,
          principal_name: giver.name,
          creation_date: creationDate,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n;
    },

    async end(selection) {
      const ended = await select(selection);
      if (ended.length > 0)
        await db.deleteFrom('administrative_right').where(isSelected(selection)).execute();
      return ended;
    },
  };
}

function isSelected({ clientRecordId, right, giver, identityProvider }: EndedRights) {
  const provider = giver?.identityProvider ?? identityProvider;
  const conditions = [sql<boolean>`1 = 1`];
  if (clientRecordId !== undefined) conditions.push(sql`client_record_id = ${clientRecordId}`);
  if (right !== undefined) conditions.push(sql`right_name = ${right}`);
  if (provider !== undefined) conditions.push(sql`identity_provider = ${provider}`);
  if (giver !== undefined) conditions.push(sql`principal_name = ${giver.name}`);
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

function toRight(row: Selectable<AdministrativeRightTable>): AdministrativeRight {
  return {
    clientRecordId: row.client_record_id,
    right: row.right_name,
    giver: { identityProvider: row.identity_provider, name: row.principal_name },
    creationDate: row.creation_date,
  };
}
