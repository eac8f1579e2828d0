import type { SecretUse, SecretUses, StatisticsStore } from '@watchword/protocol';
import { storeInParts } from './flushing.ts';

// Milliseconds between two notes of one secret: a client can ask for thousands of tokens in a second.
const leastDistance = 1000;

/**
 * Notes in memory when secrets of clients are used, and stores the last time of each at intervals. If the process is killed, the uses
 * of the last minute are not known.
 */
export class NotedSecretUses implements SecretUses {
  readonly #store: Pick<StatisticsStore, 'noteSecretUses'>;
  /** By record id of the client, epoch milliseconds by id of the secret. */
  #uses = new Map<number, Map<number, number>>();

  constructor(store: Pick<StatisticsStore, 'noteSecretUses'>) {
    this.#store = store;
  }

  secretUsed(clientRecordId: number, secretId: number, now: number): void {
    const ofClient = this.#uses.get(clientRecordId);
    if (ofClient === undefined) this.#uses.set(clientRecordId, new Map([[secretId, now]]));
    else if (now - (ofClient.get(secretId) ?? 0) >= leastDistance) ofClient.set(secretId, now);
  }

  /** Resolves when all earlier uses are stored. Uses that cannot be stored are kept for the next attempt. */
  flush(): Promise<void> {
    return storeInParts(
      this.#take(),
      (part) => this.#store.noteSecretUses(part),
      (use) => this.#keep(use),
    );
  }

  #take(): SecretUse[] {
    const taken = [...this.#uses].flatMap(([clientRecordId, ofClient]) =>
      [...ofClient].map(([secretId, lastUsed]) => ({ clientRecordId, secretId, lastUsed })),
    );
    this.#uses = new Map();
    return taken;
  }

  /** A secret that was used since has a later time. */
  #keep({ clientRecordId, secretId, lastUsed }: SecretUse): void {
    if (!this.#uses.get(clientRecordId)?.has(secretId)) this.secretUsed(clientRecordId, secretId, lastUsed);
  }
}
