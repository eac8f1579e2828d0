import type { Kysely } from 'kysely';
import type { Schema } from '../schema.ts';
import { inBatches, type ReapOptions } from './batches.ts';

// Some 100 MB. Passwords are hashed too slowly for guesses to get near it.
const manyLoginAttempts = 1_000_000;

/** Counts of failed logins that mean nothing any more, and those beyond the bound of the table. */
export async function deleteLoginAttempts(db: Kysely<Schema>, options: ReapOptions): Promise<number> {
  const { deletedBefore, maxLoginAttempts = manyLoginAttempts } = options;
  const ended = await inBatches(options, () => deleteEndingBefore(db, deletedBefore, options));
  if (options.signal?.aborted) return ended;
  const beyond = await db
    .selectFrom('login_attempt')
    .select('expires')
    .orderBy('expires', 'desc')
    .offset(maxLoginAttempts)
    .limit(1)
    .executeTakeFirst();
  if (beyond === undefined) return ended;
  return ended + (await inBatches(options, () => deleteEndingBefore(db, beyond.expires + 1, options)));
}

async function deleteEndingBefore(
  db: Kysely<Schema>,
  moment: number,
  { batchSize }: ReapOptions,
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('login_attempt')
    .where('key', 'in', (select) =>
      select
        .selectFrom('login_attempt')
        .select('key')
        .where('expires', '<', moment)
        .orderBy('expires')
        .limit(batchSize),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
