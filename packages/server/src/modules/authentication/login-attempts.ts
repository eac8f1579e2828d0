import { hash } from 'node:crypto';
import type { AttemptCount, Clock, LoginAttemptStore } from '@watchword/protocol';
import { type BackOff, backOff, notAhead, type Pace, pace } from './attempt-limit.ts';

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

export interface LoginLimits {
  /** One account tried from one address. */
  readonly perAccountAndAddress: BackOff;
  /** All accounts tried from one address. */
  readonly perAddress: Pace;
  /** One account tried from all addresses where its owner has not logged in lately. */
  readonly perAccount: Pace;
  /** Milliseconds for which the owner's address is known after a login. */
  readonly addressKnownFor: number;
}

/** Guesses at one account: fifteen in an hour from one address, a hundred from all that its owner does not use. */
export const defaultLoginLimits: LoginLimits = {
  perAccountAndAddress: {
    free: 5,
    firstWait: 5 * second,
    maxWait: 15 * minute,
    forgetAfter: 60 * minute,
  },
  perAddress: { burst: 60, interval: 10 * second },
  perAccount: { burst: 50, interval: 72 * second },
  addressKnownFor: 30 * day,
};

export interface LoginAttemptDependencies {
  readonly store: LoginAttemptStore;
  readonly clock: Clock;
  /** The part of a network address that one party controls. */
  addressGroup(address: string): string;
  readonly limits?: LoginLimits;
}

/** Decides who may try a password now. Every node counts in the same store. */
export interface LoginAttempts {
  /** Counts an attempt as failed, before its password is looked at; or resolves with the milliseconds to wait. */
  begin(username: string, source: string): Promise<number>;
  /** The attempt was right: it did not fail, and the account is at home at this address. */
  succeed(username: string, source: string): Promise<void>;
  /** The password was not looked at: the attempt does not count. */
  withdraw(username: string, source: string): Promise<void>;
}

type Count = AttemptCount | undefined;
type Counts = readonly [own: Count, address: Count, account: Count, known: Count];

export function loginAttempts({
  store,
  clock,
  addressGroup,
  limits = defaultLoginLimits,
}: LoginAttemptDependencies): LoginAttempts {
  const own = backOff(limits.perAccountAndAddress);
  const address = pace(limits.perAddress);
  const account = pace(limits.perAccount);

  const change = <Answer>(
    username: string,
    source: string,
    decide: (counts: Counts, now: number) => { answer: Answer; counts: Counts },
  ): Promise<Answer> => {
    const group = addressGroup(source);
    const keys = [
      key('own', username, group),
      key('address', group),
      key('account', username),
      key('known', username, group),
    ];
    const now = clock.now();
    return store.change(keys, (found) => {
      const [a, b, c, d] = found.map((count) => notAhead(count, now));
      return decide([a, b, c, d], now);
    });
  };

  /** The counts with one attempt more, or less. */
  const add = ([a, b, c, known]: Counts, attempts: number, now: number): Counts => [
    own.add(a, attempts, now),
    address.add(b, attempts, now),
    account.add(c, attempts, now),
    known,
  ];

  return {
    begin: (username, source) =>
      change(username, source, (counts, now) => {
        const [a, b, c, known] = counts;
        // Strangers who try somebody's account from everywhere slow each other down, and not its owner at home.
        const isKnown = known !== undefined && known.expires > now;
        const waits = [own.wait(a, now), address.wait(b, now), isKnown ? 0 : account.wait(c, now)];
        const wait = Math.max(...waits);
        return { answer: wait, counts: wait > 0 ? counts : add(counts, 1, now) };
      }),

    succeed: (username, source) =>
      change(username, source, (counts, now) => {
        // Only this attempt is taken back from the address and the account: who knows one password must not
        // wipe out what they failed to guess of others.
        const [, b, c] = add(counts, -1, now);
        const known = { failures: 0, at: now, expires: now + limits.addressKnownFor };
        return { answer: undefined, counts: [undefined, b, c, known] };
      }),

    withdraw: (username, source) =>
      change(username, source, (counts, now) => ({ answer: undefined, counts: add(counts, -1, now) })),
  };
}

/**
 * Digests, for what is typed as a username may be a password by mistake. Half of SHA-256: short rows, and no
 * two people ever share one.
 */
function key(kind: string, ...parts: string[]): string {
  return `${kind} ${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)}`;
}
