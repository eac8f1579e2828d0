import type {
  AdministrativeRight,
  EndedRights,
  Identity,
  RightReader,
  RightStore,
} from '@watchword/protocol';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { AdministrativeRightTable } from '../schema/people-tables.ts';
import type { Schema } from '../schema/schema.ts';

export function sqlRights(db: Kysely<Schema>): RightStore {
  const select = async (selection: EndedRights): Promise<AdministrativeRight[]> => {
    const rights = db.selectFrom('administrative_right').selectAll().where(isSelected(selection));
    const rows = await rights.orderBy('client_record_id').orderBy('right_name').execute();
    return rows.map(toRight);
  };
  return {
    list: (clientRecordId) => select({ clientRecordId }),
    isGiver: async (giver) => (await select({ giver })).length > 0,

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

/**
 * The rights as nearly each login asks for them: who gave any is in memory. While the memory is not current, the database answers.
 *
 * @param isCurrent whether the memory has every change that was committed a moment ago
 */
export function rightsWithGivers(
  rights: RightReader,
  follow: (read: () => Promise<void>) => void,
  isCurrent: () => boolean,
): RightReader {
  let givers: ReadonlySet<string> | undefined;
  let begun = 0;
  follow(async () => {
    begun += 1;
    const turn = begun;
    const given = await rights.list();
    // A read that took too long does not replace a later one.
    if (turn === begun) givers = new Set(given.map(({ giver }) => keyOf(giver)));
  });
  return {
    ...rights,
    isGiver: async (user) =>
      givers !== undefined && isCurrent() ? givers.has(keyOf(user)) : rights.isGiver(user),
  };
}

function keyOf({ identityProvider, name }: Identity): string {
  return JSON.stringify([identityProvider, name]);
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
