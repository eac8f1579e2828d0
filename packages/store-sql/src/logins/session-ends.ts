import { type Identity, logoutDeliveryRetention } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { AfterCommit } from '../queries/after-commit.ts';
import { inParts } from '../queries/in-parts.ts';
import type { Schema } from '../schema/schema.ts';

type Listener = (by: 'end' | 'retry') => void;

/** Reports within this process that logout deliveries are due. */
export class SessionEnds {
  readonly #listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Called when the deliveries are durable. */
  report(by: 'end' | 'retry' = 'end'): void {
    for (const listener of this.#listeners) listener(by);
  }
}

/** Makes logout deliveries of the clients of sessions that end. */
export async function endClientsOf(
  db: Kysely<Schema>,
  sessionIds: readonly Uint8Array[],
  now: number,
): Promise<void> {
  for (const ids of inParts(sessionIds)) {
    await db
      .updateTable('session_client')
      .set({ ended_at: now, next_attempt: now, expires: now + logoutDeliveryRetention })
      .where('session_id', 'in', ids)
      .where('ended_at', 'is', null)
      .execute();
  }
}

/** The same in the transaction that removes the sessions, and again after it for clients that were stored at the same time. */
export async function endClientsInTransaction(
  transaction: Kysely<Schema>,
  afterCommit: AfterCommit,
  ends: SessionEnds,
  sessionIds: readonly Uint8Array[],
  now: number,
): Promise<void> {
  if (sessionIds.length === 0) return;
  await endClientsOf(transaction, sessionIds, now);
  afterCommit(async (db) => {
    await endClientsOf(db, sessionIds, now);
    ends.report();
  });
}

/** Whatever ends all sessions of a person ends the trust in their browsers too. */
export async function endTrustedBrowsers(
  db: Kysely<Schema>,
  { identityProvider, name }: Identity,
): Promise<void> {
  await db
    .deleteFrom('credential')
    .where('identity_provider', '=', identityProvider)
    .where('principal_name', '=', name)
    .where('kind', '=', 'trusted_browser')
    .execute();
}
