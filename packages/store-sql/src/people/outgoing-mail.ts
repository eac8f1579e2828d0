import type { OutgoingMail, OutgoingMailStore } from '@watchword/protocol';
import type { Kysely, Selectable } from 'kysely';
import type { AfterCommit } from '../queries/after-commit.ts';
import type { OutgoingMailTable } from '../schema/people-tables.ts';
import type { Schema } from '../schema/schema.ts';

/** Reports within this process that mails are due. */
export class MailArrivals {
  readonly #listeners: (() => void)[] = [];

  listen(listener: () => void): void {
    this.#listeners.push(listener);
  }

  /** Called when a mail is durable. */
  report(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** In a transaction: the mail is due after the commit. */
export function mailInTransaction(
  transaction: Kysely<Schema>,
  afterCommit: AfterCommit,
  arrivals: MailArrivals,
): Pick<OutgoingMailStore, 'add'> {
  return {
    async add(mail) {
      await insertMail(transaction, mail);
      afterCommit(async () => arrivals.report());
    },
  };
}

/** @param near for reads and writes of rows by their key or an index */
export function sqlOutgoingMail(near: Kysely<Schema>, arrivals: MailArrivals): OutgoingMailStore {
  return {
    async add(mail) {
      await insertMail(near, mail);
      arrivals.report();
    },

    async listDue(now, limit) {
      const rows = await near
        .selectFrom('outgoing_mail')
        .selectAll()
        .where('next_attempt', '<=', now)
        .orderBy('next_attempt')
        .limit(limit)
        .execute();
      return rows.map(toMail);
    },

    async claim({ id, nextAttempt }, until) {
      const { numUpdatedRows } = await near
        .updateTable('outgoing_mail')
        .set({ next_attempt: until })
        .where('mail_id', '=', id)
        .where('next_attempt', '=', nextAttempt)
        .executeTakeFirstOrThrow();
      return numUpdatedRows > 0n;
    },

    async postpone({ id }, { attempts, nextAttempt, sealed }) {
      await near
        .updateTable('outgoing_mail')
        .set({ attempts, next_attempt: nextAttempt, sealed_mail: sealed })
        .where('mail_id', '=', id)
        .execute();
    },

    async remove({ id }) {
      await near.deleteFrom('outgoing_mail').where('mail_id', '=', id).execute();
    },

    async waiting() {
      const { count, oldest } = await near
        .selectFrom('outgoing_mail')
        .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('creation_date').as('oldest')])
        .executeTakeFirstOrThrow();
      return { count: Number(count), oldest: oldest === null ? undefined : Number(oldest) };
    },

    onDue: (listener) => arrivals.listen(listener),
  };
}

async function insertMail(db: Kysely<Schema>, mail: OutgoingMail): Promise<void> {
  await db
    .insertInto('outgoing_mail')
    .values({
      mail_id: mail.id,
      mail_kind: mail.kind,
      account_id: mail.accountId ?? null,
      sealed_mail: mail.sealed,
      creation_date: mail.creationDate,
      expires: mail.expires,
      attempts: mail.attempts,
      next_attempt: mail.nextAttempt,
    })
    .execute();
}

function toMail(row: Selectable<OutgoingMailTable>): OutgoingMail {
  return {
    id: row.mail_id,
    kind: row.mail_kind,
    ...(row.account_id !== null && { accountId: row.account_id }),
    sealed: row.sealed_mail,
    creationDate: row.creation_date,
    expires: row.expires,
    attempts: row.attempts,
    nextAttempt: row.next_attempt,
  };
}
