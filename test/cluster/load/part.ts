import { setTimeout as delay } from 'node:timers/promises';
import type { Choices } from '../choices.ts';
import type { Client } from '../client.ts';
import type { Ledger } from '../ledger.ts';
import type { PublishedKeys } from '../published-keys.ts';
import type { AnsweredToken } from '../tokens.ts';
import type { Family } from './family.ts';

/** What a part of the load works with. */
export interface Part {
  readonly client: Client;
  readonly choices: Choices;
  readonly ledger: Ledger;
  /** Every access token that was answered. */
  readonly tokens: AnsweredToken[];
  /** Families of refresh tokens that their application still uses. */
  readonly families: Set<Family>;
  /** The keys that clients verify ID tokens with. */
  readonly keys: PublishedKeys;
  readonly nodes: number;
  /** Aborted at the end of the load. */
  readonly stop: AbortSignal;
}

/** What a client waits before it tries again. A real one waits longer; this one is to meet as many faults as possible. */
export function pause(): Promise<void> {
  return delay(50);
}
