import { type Clock, type OutgoingMail, type OutgoingMailStore, waitAfter } from '@watchword/protocol';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';

// Seconds. Mails that this process stores begin at once; those of others, and repeated ones, begin after this time.
const pollInterval = 5;
const mostAtOnce = 4;
const batchSize = 50;
// Milliseconds. The mail of a process that was killed is sent by another one after this time, or after a restart.
const claimTime = 30_000;
// Milliseconds. A mail server that is down is not asked for every mail that waits.
const longestRest = 300_000;

/** How an attempt failed. */
export interface MailFailure {
  /** In words for the operator, without an address. */
  readonly reason: string;
  /** `refused`: no repetition helps. `unavailable`: other mails would fail too. */
  readonly kind: 'refused' | 'postponed' | 'unavailable';
}

export interface MailDeliveriesDependencies {
  readonly outgoingMail: OutgoingMailStore;
  /** Sends a mail. Resolves with the failure, if there was one. */
  deliver(mail: OutgoingMail): Promise<MailFailure | undefined>;
  /** The mail, sealed with the newest key. */
  sealAgain(mail: OutgoingMail): Promise<string>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'error'>;
  readonly metrics: Pick<Metrics, 'mails'>;
}

/**
 * Sends mails until the returned function is called, which resolves when no attempt is under way. Every process does this: it claims
 * each attempt before it makes it.
 */
export function startMailDeliveries(deps: MailDeliveriesDependencies): () => Promise<void> {
  const deliveries = new MailDeliveries(deps);
  deps.outgoingMail.onDue(() => deliveries.wake());
  deliveries.wake();
  const timer = setInterval(() => deliveries.wake(), pollInterval * 1000).unref();
  return () => {
    clearInterval(timer);
    return deliveries.stop();
  };
}

export class MailDeliveries {
  readonly #deps: MailDeliveriesDependencies;
  readonly #underWay = new Map<string, Promise<void>>();
  /** Failures of the mail server in a row, and until when it is left alone, in epoch milliseconds. */
  #failures = 0;
  #restsUntil = 0;
  #reading: Promise<void> | undefined;
  #mustReadAgain = false;
  #isStopped = false;

  constructor(deps: MailDeliveriesDependencies) {
    this.#deps = deps;
  }

  /** Begins what is due. */
  wake(): void {
    if (this.#isStopped) return;
    if (this.#reading !== undefined) {
      this.#mustReadAgain = true;
      return;
    }
    this.#reading = this.#begin().finally(() => {
      this.#reading = undefined;
      if (!this.#mustReadAgain) return;
      this.#mustReadAgain = false;
      this.wake();
    });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#reading;
    await Promise.all(this.#underWay.values());
  }

  async #begin(): Promise<void> {
    const { outgoingMail, clock, logger } = this.#deps;
    try {
      if (clock.now() < this.#restsUntil) return;
      for (const mail of await outgoingMail.listDue(clock.now(), batchSize)) {
        if (this.#isStopped || this.#underWay.size >= mostAtOnce) return;
        if (!this.#underWay.has(mail.id)) this.#start(mail);
      }
    } catch (error) {
      logger.warn({ err: error }, 'mails that are due could not be read; the server tries again');
    }
  }

  #start(mail: OutgoingMail): void {
    const underWay = this.#attempt(mail).finally(() => {
      this.#underWay.delete(mail.id);
      this.wake();
    });
    this.#underWay.set(mail.id, underWay);
  }

  async #attempt(mail: OutgoingMail): Promise<void> {
    const { outgoingMail, clock, logger } = this.#deps;
    try {
      if (!(await outgoingMail.claim(mail, clock.now() + claimTime))) return;
      if (clock.now() >= mail.expires) return await this.#giveUp(mail, 'its time is over');
      const failure = await this.#deliverWhileClaimed(mail);
      if (failure === undefined) return await this.#sent(mail);
      if (failure.kind === 'refused') return await this.#giveUp(mail, failure.reason);
      await this.#postpone(mail, failure);
    } catch (error) {
      // A database that cannot be written can often be read: the same mails would be due at once, again and again.
      this.#restsUntil = Math.max(this.#restsUntil, clock.now() + pollInterval * 1000);
      logger.warn({ err: error, mail: mail.id }, 'a mail could not be sent; the server tries again');
    }
  }

  /** A mail server can think for longer than a claim lasts. */
  async #deliverWhileClaimed(mail: OutgoingMail): Promise<MailFailure | undefined> {
    const { outgoingMail, clock, deliver } = this.#deps;
    const keep = { attempts: mail.attempts, sealed: mail.sealed };
    let renewed: Promise<void> = Promise.resolve();
    const renewal = setInterval(() => {
      const nextAttempt = clock.now() + claimTime;
      // If this fails, another node sends the mail too: twice is better than never.
      renewed = outgoingMail.postpone(mail, { ...keep, nextAttempt }).catch(() => {});
    }, claimTime / 3).unref();
    try {
      return await deliver(mail);
    } finally {
      clearInterval(renewal);
      await renewed;
    }
  }

  async #sent(mail: OutgoingMail): Promise<void> {
    await this.#deps.outgoingMail.remove(mail);
    this.#failures = 0;
    this.#deps.metrics.mails.inc({ outcome: 'sent' });
  }

  async #postpone(mail: OutgoingMail, { kind, reason }: MailFailure): Promise<void> {
    const { outgoingMail, clock, logger, metrics, sealAgain } = this.#deps;
    const attempts = mail.attempts + 1;
    const now = clock.now();
    if (kind === 'unavailable' && now >= this.#restsUntil) {
      this.#failures += 1;
      this.#restsUntil = now + Math.min(waitAfter(this.#failures, 0), longestRest);
    }
    const nextAttempt = kind === 'unavailable' ? this.#restsUntil : now + waitAfter(attempts, 0);
    if (nextAttempt >= mail.expires) return this.#giveUp(mail, reason);
    await outgoingMail.postpone(mail, { attempts, nextAttempt, sealed: await sealAgain(mail) });
    metrics.mails.inc({ outcome: 'retried' });
    logger.warn(
      { mail: mail.id, kind: mail.kind, attempts, reason },
      'a mail was not sent; the server tries again',
    );
  }

  async #giveUp(mail: OutgoingMail, reason: string): Promise<void> {
    const { outgoingMail, logger, metrics } = this.#deps;
    await outgoingMail.remove(mail);
    metrics.mails.inc({ outcome: 'failed' });
    const { id, kind, attempts } = mail;
    logger.error({ mail: id, kind, attempts, reason }, 'a mail was not sent, and the server gives it up');
  }
}
