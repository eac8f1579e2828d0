import {
  type AccessError,
  AuthorizationServerUnavailable,
  InsufficientAuthentication,
  ProofRejected,
  TokenRejected,
  type TokenRejection,
} from './errors.ts';
import { builtinModule } from './platform/platform.ts';
import type { Clocks } from './platform/system.ts';

/** What became of a token. */
export interface TokenOutcome {
  /** Key of the API. */
  readonly api: string;
  readonly outcome: 'accepted' | 'rejected' | 'unavailable';
  /** Of the error, where the token was not accepted. `stale`: a hit is accepted only because the server did not answer. */
  readonly reason?: string;
}

/** The same, of work that takes time. */
export interface TimedOutcome extends TokenOutcome {
  /** Milliseconds. */
  readonly duration: number;
}

/**
 * The channels of `node:diagnostics_channel` with the events that each has. No event has a token, or anything of its owner. Where the
 * platform has no such channels, there are no events.
 */
export interface VerifierEvents {
  /** A token was answered from memory. */
  readonly 'watchword:resource-server:hit': TokenOutcome;
  /** Token info was asked, or could not be asked, about a token. */
  readonly 'watchword:resource-server:lookup': TimedOutcome;
  /** A JWT was verified without a lookup, for the first time. */
  readonly 'watchword:resource-server:verification': TimedOutcome;
  /** A guard, or a helper such as `requireScope`, refused a request. */
  readonly 'watchword:resource-server:refusal': {
    readonly status: number;
    readonly code: AccessError['code'];
    /** Of errors that have one: {@link TokenRejected}, {@link ProofRejected}, {@link InsufficientAuthentication}, {@link AuthorizationServerUnavailable}. */
    readonly reason?: string;
  };
  /** The list of revocations was asked for. */
  readonly 'watchword:resource-server:list': {
    readonly api: string;
    /** Milliseconds since the server has confirmed the list; `undefined` before the first list. */
    readonly age: number | undefined;
    /** Whether it is young enough to verify JWTs by. */
    readonly isCurrent: boolean;
  };
}

export interface EventChannel<Event> {
  readonly hasSubscribers: boolean;
  publish(event: Event): void;
}

const silent: EventChannel<unknown> = { hasSubscribers: false, publish() {} };

interface DiagnosticsChannel {
  readonly channel?: (name: string) => EventChannel<unknown>;
}

const { channel } = builtinModule('node:diagnostics_channel') as DiagnosticsChannel;

function channelOf<Name extends keyof VerifierEvents>(name: Name): EventChannel<VerifierEvents[Name]> {
  return channel?.(name) ?? silent;
}

/** Whoever publishes asks for subscribers first: without them an event costs nothing. */
export const events = {
  hit: channelOf('watchword:resource-server:hit'),
  lookup: channelOf('watchword:resource-server:lookup'),
  verification: channelOf('watchword:resource-server:verification'),
  refusal: channelOf('watchword:resource-server:refusal'),
  list: channelOf('watchword:resource-server:list'),
} as const;

/** Tells of an answer from memory. @param reason of a rejection, or that it is `stale` */
export function tellHit(api: string, reason?: TokenRejection | 'stale'): void {
  if (!events.hit.hasSubscribers) return;
  if (reason === undefined) events.hit.publish({ api, outcome: 'accepted' });
  else events.hit.publish({ api, outcome: reason === 'stale' ? 'accepted' : 'rejected', reason });
}

/** Does work about a token, and tells the channel what became of it. Work that ends with `undefined` was left to others. */
export function observed<Value>(
  channel: EventChannel<TimedOutcome>,
  api: string,
  { monotonic }: Pick<Clocks, 'monotonic'>,
  work: () => Promise<Value>,
): Promise<Value> {
  if (!channel.hasSubscribers) return work();
  const began = monotonic();
  const end = (outcome: Omit<TokenOutcome, 'api'>) =>
    channel.publish({ api, ...outcome, duration: monotonic() - began });
  return work().then(
    (value) => {
      if (value !== undefined) end({ outcome: 'accepted' });
      return value;
    },
    (error) => {
      end(outcomeOf(error));
      throw error;
    },
  );
}

function outcomeOf(error: unknown): Omit<TokenOutcome, 'api'> {
  if (error instanceof TokenRejected) return { outcome: 'rejected', reason: error.reason };
  const reason = error instanceof AuthorizationServerUnavailable ? error.reason : 'error';
  return { outcome: 'unavailable', reason };
}

/** Tells that a request gets this error. */
export function refused<Refusal extends AccessError>(error: Refusal): Refusal {
  if (events.refusal.hasSubscribers) {
    const { status, code } = error;
    const isReasoned =
      error instanceof TokenRejected ||
      error instanceof ProofRejected ||
      error instanceof InsufficientAuthentication ||
      error instanceof AuthorizationServerUnavailable;
    events.refusal.publish({ status, code, ...(isReasoned && { reason: error.reason }) });
  }
  return error;
}
