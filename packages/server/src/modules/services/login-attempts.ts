import { hash } from 'node:crypto';
import type { AttemptCount, Clock, LoginAttemptStore, LoginAttempts } from '@watchword/protocol';
import { type BackOff, backOff, notAhead, type Pace, pace } from './attempt-limit.ts';

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

export interface LoginLimits {
  /** Attempts at one account from one address. */
  readonly perAccountAndAddress: BackOff;
  /** Attempts at all accounts from one address. */
  readonly perAddress: Pace;
  /** Attempts at one account from all addresses from which its owner has not logged in recently. */
  readonly perAccount: Pace;
  /** Milliseconds for which an address of the owner is known after a login. */
  readonly addressKnownFor: number;
}

/**
 * Permits per hour and account fifteen guesses from one address, and a hundred from all addresses that its owner does not use.
 */
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
  /** The part of a network address that one subscriber controls. */
  addressGroup(address: string): string;
  readonly limits?: LoginLimits;
}

type Count = AttemptCount | undefined;
type Counts = readonly [own: Count, address: Count, account: Count, known: Count];

/**
 * Limits guesses at the accounts of each authenticator. The failures of a network address are counted for all
 * authenticators together.
 */
export function loginAttempts({
  store,
  clock,
  addressGroup,
  limits = defaultLoginLimits,
}: LoginAttemptDependencies): (authenticator: string) => LoginAttempts {
  const own = backOff(limits.perAccountAndAddress);
  const address = pace(limits.perAddress);
  const anywhere = pace(limits.perAccount);

  const change = <Answer>(
    account: readonly [authenticator: string, name: string],
    source: string,
    decide: (counts: Counts, now: number) => { answer: Answer; counts: Counts },
  ): Promise<Answer> => {
    const group = addressGroup(source);
    const keys = [
      key('own', ...account, group),
      key('address', group),
      key('account', ...account),
      key('known', ...account, group),
    ];
    const now = clock.now();
    return store.change(keys, (found) => {
      const [a, b, c, d] = found.map((count) => notAhead(count, now));
      return decide([a, b, c, d], now);
    });
  };

  /** The counts with one attempt more, or one less. */
  const add = ([a, b, c, known]: Counts, attempts: number, now: number): Counts => [
    own.add(a, attempts, now),
    address.add(b, attempts, now),
    anywhere.add(c, attempts, now),
    known,
  ];

  return (authenticator) => ({
    begin: (name, source) =>
      change([authenticator, name], source, (counts, now) => {
        const [a, b, c, known] = counts;
        // Attempts from many addresses slow each other down, and not the owner at an address that is known.
        const isKnown = known !== undefined && known.expires > now;
        const waits = [own.wait(a, now), address.wait(b, now), isKnown ? 0 : anywhere.wait(c, now)];
        const wait = Math.max(...waits);
        return { answer: wait, counts: wait > 0 ? counts : add(counts, 1, now) };
      }),

    succeed: (name, source) =>
      change([authenticator, name], source, (counts, now) => {
        // Only this attempt is taken back from the address and the account: the owner of one account must not
        // remove the failures at other accounts.
        const [, b, c] = add(counts, -1, now);
        const known = { failures: 0, at: now, expires: now + limits.addressKnownFor };
        return { answer: undefined, counts: [undefined, b, c, known] };
      }),

    withdraw: (name, source) =>
      change([authenticator, name], source, (counts, now) => ({
        answer: undefined,
        counts: add(counts, -1, now),
      })),
  });
}

/**
 * A digest, because a user can type a password into the field of the user name. Half of SHA-256: rows are short, and no two
 * accounts share one.
 */
function key(kind: string, ...parts: string[]): string {
  return `${kind} ${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)}`;
}
