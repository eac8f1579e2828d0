import type {
  Clock,
  LogoutAttemptResult,
  LogoutDelivery,
  LogoutDeliveryStore,
  Registry,
} from '@watchword/protocol';
import { waitAfter } from '@watchword/protocol';
import type { Logger } from '../log/logger.ts';
import type { Metrics } from '../metrics/metrics.ts';

// Seconds. Deliveries of this process begin at once; those of others, and repeated ones, begin after this time.
const pollInterval = 5;
const mostAtOnce = 16;
// A client that answers slowly leaves room for others.
const mostOfClient = 4;
const batchSize = 200;
// Milliseconds. A client that fails gets no other delivery for some time, at most for this.
const longestRest = 300_000;

export interface LogoutDeliveriesDependencies {
  readonly logoutDeliveries: Pick<LogoutDeliveryStore, 'listDue' | 'claim' | 'onDue'>;
  readonly registry: Pick<Registry, 'clientById'>;
  /** Makes one attempt. */
  deliver(delivery: LogoutDelivery): Promise<LogoutAttemptResult>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, 'logoutTokens'>;
}

/** What this process knows of a client that failed. */
interface Rest {
  /** Failures in a row. */
  readonly failures: number;
  /** Epoch milliseconds. */
  readonly until: number;
}

/**
 * Delivers logout tokens until the returned function is called, which resolves when no attempt is under way. Every process does
 * this: it claims each attempt before it makes it.
 */
export function startLogoutDeliveries(deps: LogoutDeliveriesDependencies): () => Promise<void> {
  const deliveries = new LogoutDeliveries(deps);
  deps.logoutDeliveries.onDue((by) => (by === 'retry' ? deliveries.wakeNow() : deliveries.wake()));
  deliveries.wake();
  const timer = setInterval(() => deliveries.wake(), pollInterval * 1000).unref();
  return () => {
    clearInterval(timer);
    return deliveries.stop();
  };
}

export class LogoutDeliveries {
  readonly #deps: LogoutDeliveriesDependencies;
  readonly #underWay = new Set<Promise<void>>();
  readonly #ofClient = new Map<number, number>();
  readonly #rests = new Map<number, Rest>();
  #reading: Promise<void> | undefined;
  #mustReadAgain = false;
  #isStopped = false;

  constructor(deps: LogoutDeliveriesDependencies) {
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

  /** Begins what is due, also for clients that failed a moment ago. */
  wakeNow(): void {
    this.#rests.clear();
    this.wake();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#reading;
    await Promise.all(this.#underWay);
  }

  async #begin(): Promise<void> {
    const { logoutDeliveries, clock, logger } = this.#deps;
    try {
      const now = clock.now();
      const due = await logoutDeliveries.listDue(now, batchSize);
      for (const delivery of due) {
        if (this.#isStopped || this.#underWay.size >= mostAtOnce) return;
        const { until = 0 } = this.#rests.get(delivery.clientRecordId) ?? {};
        // Later in the order of all, so that they do not hide those of other clients.
        if (until > now) await logoutDeliveries.claim(delivery, until);
        else if ((this.#ofClient.get(delivery.clientRecordId) ?? 0) < mostOfClient) this.#start(delivery);
      }
    } catch (error) {
      logger.warn({ err: error }, 'logout tokens that are due could not be read; the server tries again');
    }
  }

  #start(delivery: LogoutDelivery): void {
    const { clientRecordId } = delivery;
    this.#count(clientRecordId, 1);
    const underWay = this.#deliver(delivery).finally(() => {
      this.#count(clientRecordId, -1);
      this.#underWay.delete(underWay);
      this.wake();
    });
    this.#underWay.add(underWay);
  }

  async #deliver(delivery: LogoutDelivery): Promise<void> {
    const { deliver, logger, metrics, registry } = this.#deps;
    try {
      const { outcome, reason } = await deliver(delivery);
      if (outcome === 'taken' || outcome === 'dropped') return;
      metrics.logoutTokens.inc({ outcome });
      this.#rest(delivery.clientRecordId, outcome === 'retried');
      if (outcome !== 'failed') return;
      const clientId = registry.clientById(delivery.clientRecordId)?.clientId;
      logger.warn(
        { clientId, delivery: delivery.id, reason },
        'a client has not accepted a logout token, and gets no further attempt',
      );
    } catch (error) {
      logger.warn({ err: error }, 'a logout token could not be delivered; the server tries again');
    }
  }

  #rest(clientRecordId: number, hasFailed: boolean): void {
    if (!hasFailed) {
      this.#rests.delete(clientRecordId);
      return;
    }
    const failures = (this.#rests.get(clientRecordId)?.failures ?? 0) + 1;
    const until = this.#deps.clock.now() + Math.min(waitAfter(failures, 0), longestRest);
    this.#rests.set(clientRecordId, { failures, until });
  }

  #count(clientRecordId: number, change: number): void {
    const count = (this.#ofClient.get(clientRecordId) ?? 0) + change;
    if (count === 0) this.#ofClient.delete(clientRecordId);
    else this.#ofClient.set(clientRecordId, count);
  }
}
