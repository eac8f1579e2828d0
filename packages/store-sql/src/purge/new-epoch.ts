import type { Kysely } from 'kysely';
import type { Schema } from '../schema/schema.ts';
import { withSameText } from '../schema/search-columns.ts';
import { type EmptyTable, type EndedByRestore, endIssued } from './issued.ts';

/** Numbers that a database has used. */
export interface UsedNumbers {
  /** The greatest revision of a record. */
  readonly revision: number;
  /** The last number of each sequence. */
  readonly sequences: ReadonlyMap<string, number>;
}

export interface EpochOptions {
  /** Epoch milliseconds. */
  readonly now: number;
  /**
   * Epoch milliseconds: tokens, grants and consents end if they were issued at this time or later; 0 = all of them,
   * `undefined` = none.
   */
  readonly endIssuedFrom: number | undefined;
  /** The numbers of the database that this one replaces, if they are known. */
  readonly used?: UsedNumbers | undefined;
}

/**
 * Distinguishes a restored database from the database that was backed up. Codes, sessions, and tokens and grants that can have
 * ended since the backup are removed, and signing keys retired. Every sequence continues above all numbers that can have been used since the backup: the
 * numbers of the replaced database, if they are known, and the seconds of the clock, because no server makes a record each
 * second for years. It can be repeated: a repetition after an interruption does what is left.
 */
export async function beginEpoch(
  db: Kysely<Schema>,
  { now, endIssuedFrom, used }: EpochOptions,
  emptyTable: EmptyTable,
): Promise<EndedByRestore> {
  await db.transaction().execute(async (transaction) => {
    // No process of the restored database has the lease.
    await transaction.deleteFrom('lease').execute();
    // Without these keys, cursors of lists and open forms are no longer valid.
    await transaction.deleteFrom('sealing_key').execute();
    const least = Math.floor(now / 1000);
    await retireSigningKeys(transaction, now, endIssuedFrom);
    await raiseNumbers(transaction, used, least);
    await endLinks(transaction, least);
    // The file of a configuration can be newer than the backup.
    await transaction.updateTable('applied_configuration').set({ is_restored: 1 }).execute();
    // The person can have ended the trust. All other factors stay, as passwords do.
    await transaction.deleteFrom('credential').where('kind', '=', 'trusted_browser').execute();
  });
  return endIssued(db, endIssuedFrom, emptyTable);
}

/**
 * No key signs any more, and the private halves that the backup has are erased. A key can have been reported as compromised since
 * the backup, and JWTs are not stored, so that those that were issued since a time cannot be removed. So no key verifies any
 * more, unless all tokens are to stay valid.
 */
async function retireSigningKeys(
  db: Kysely<Schema>,
  now: number,
  endIssuedFrom: number | undefined,
): Promise<void> {
  await db
    .updateTable('signing_key')
    .set({ retired_at: now })
    .where((key) => key.or([key('retired_at', 'is', null), key('retired_at', '>', now)]))
    .execute();
  await db
    .updateTable('signing_key')
    .set({ sealed_private_key: null, private_key_reference: null })
    .execute();
  if (endIssuedFrom === undefined) return;
  await db
    .updateTable('signing_key')
    .set({ compromised_at: now })
    .where('compromised_at', 'is', null)
    .execute();
}

/** A link that was redeemed after the backup must not be valid again, nor a version of an account that is gone. */
async function endLinks(db: Kysely<Schema>, least: number): Promise<void> {
  await db
    .updateTable('account')
    .set({ reset_digest: null, reset_expires: null })
    .where('reset_digest', 'is not', null)
    .execute();
  await db.deleteFrom('person_link').execute();
  // They may have been sent since, and no key opens them.
  await db.deleteFrom('outgoing_mail').execute();
  await db.updateTable('account').set(withSameText(least)).where('revision', '<', least).execute();
}

async function raiseNumbers(db: Kysely<Schema>, used: UsedNumbers | undefined, least: number): Promise<void> {
  const sequences = await db.selectFrom('number_sequence').selectAll().execute();
  for (const { sequence_name, last_number } of sequences) {
    await db
      .updateTable('number_sequence')
      .set({ last_number: Math.max(last_number, used?.sequences.get(sequence_name) ?? 0, least) })
      .where('sequence_name', '=', sequence_name)
      .execute();
  }
  const own = await db.selectFrom('registry_revision').selectAll().executeTakeFirstOrThrow();
  // A node that knew the replaced database reads all records again.
  const revision = Math.max(own.revision, own.purged_revision, used?.revision ?? 0, least) + 1;
  await db.updateTable('registry_revision').set({ revision, purged_revision: revision }).execute();
}
