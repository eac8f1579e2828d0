import type { Branding, BrandingStore, StoredBranding } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';

/** The row that pages show. The others are drafts. */
const shown = 'shown';

/** @param revision of the transaction that changes the branding */
export function sqlBranding(db: Kysely<Schema>, revision = 0): BrandingStore {
  const find = async (id: string): Promise<StoredBranding | undefined> => {
    const row = await db.selectFrom('branding').selectAll().where('branding_id', '=', id).executeTakeFirst();
    return (
      row && {
        branding: JSON.parse(row.settings),
        modificationDate: row.modification_date,
        revision: row.revision,
      }
    );
  };
  const put = async (id: string, branding: Branding, time: number) => {
    const values = { settings: JSON.stringify(branding), modification_date: time, revision };
    await db
      .insertInto('branding')
      .values({ branding_id: id, ...values })
      .onConflict((conflict) => conflict.column('branding_id').doUpdateSet(values))
      .execute();
  };
  return {
    async revision() {
      const row = await db
        .selectFrom('branding')
        .select('revision')
        .where('branding_id', '=', shown)
        .executeTakeFirst();
      return row?.revision ?? 0;
    },
    find: () => find(shown),
    findDraft: async (id) => (id === shown ? undefined : find(id)),
    put: (branding, time) => put(shown, branding, time),
    putDraft: put,
    async removeDrafts(time) {
      await db
        .deleteFrom('branding')
        .where('branding_id', '!=', shown)
        .where('modification_date', '<', time)
        .execute();
    },
  };
}
