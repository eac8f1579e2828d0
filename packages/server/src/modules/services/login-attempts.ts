import { hash } from 'node:crypto';
import type {
  AttemptCount,
  AttemptedAccount,
  Clock,
  LoginAttemptStore,
  LoginAttempts,
  Random,
} from '@watchword/protocol';
import { type AttemptLimit, type BackOff, backOff, notAhead, type Pace, pace } from './attempt-limit.ts';
import { knownDevices } from './known-devices.ts';

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/** A network is an IPv4 address or the /64 of an IPv6 address; a site is the /48 of an IPv6 address. */
export interface LoginLimits {
  /** Attempts at one account from one network, and from one known device. */
  readonly perAccountAndNetwork: BackOff;
  /** Attempts at one account from one site. */
  readonly perAccountAndSite: Pace;
  /** Attempts at all accounts from one network. */
  readonly perNetwork: Pace;
  /** Attempts at all accounts from one site. */
  readonly perSite: Pace;
  /** Attempts at one account from all networks from which its owner has not logged in recently. */
  readonly perAccount: Pace;
  /** Milliseconds for which a network of the owner is known after a login. */
  readonly networkKnownFor: number;
  /** Milliseconds for which a device of the owner is known after a login. */
  readonly deviceKnownFor: number;
}

/**
 * Permits per hour and account fifteen guesses from one network or site and from each known device, and a hundred from all
 * networks that its owner does not use.
 */
export const defaultLoginLimits: LoginLimits = {
  perAccountAndNetwork: {
    free: 5,
    firstWait: 5 * second,
    maxWait: 15 * minute,
    forgetAfter: 60 * minute,
  },
  perAccountAndSite: { burst: 15, interval: 240 * second },
  perNetwork: { burst: 60, interval: 10 * second },
  perSite: { burst: 240, interval: 2.5 * second },
  perAccount: { burst: 50, interval: 72 * second },
  networkKnownFor: 30 * day,
  deviceKnownFor: 365 * day,
};

export interface LoginAttemptDependencies {
  readonly store: LoginAttemptStore;
  readonly clock: Clock;
  readonly random: Random;
  /** The key of digests of this database, which all nodes share. */
  digestKey(): Uint8Array;
  /** The part of a network address that one subscriber controls at least. */
  networkOf(address: string): string;
  /** The part that one subscriber can control at most; `undefined` if it is no larger. */
  siteOf(address: string): string | undefined;
  readonly limits?: LoginLimits;
  /** Attempts with another purpose are counted apart; devices and networks are known for all of them. Default: logins. */
  readonly purpose?: string;
}

type Count = AttemptCount | undefined;

/** One of the counts of an attempt. */
interface Counted {
  readonly key: string;
  readonly limit: AttemptLimit;
  /** The right secret removes all its failures, and not only this attempt. */
  readonly endsWithSuccess?: boolean;
  /** It does not limit a network from which the owner has logged in recently. */
  readonly sparesKnownNetwork?: boolean;
}

/** What an attempt is counted under, and where it is stored that its network is known. */
interface Attempt {
  readonly counted: readonly Counted[];
  readonly knownKey: string;
}

/**
 * Limits guesses at the accounts of each authenticator. The failures of a network address are counted for all
 * authenticators together.
 */
export function loginAttempts({
  store,
  clock,
  networkOf,
  siteOf,
  limits = defaultLoginLimits,
  purpose = '',
  ...ofDevices
}: LoginAttemptDependencies): (authenticator: string) => LoginAttempts {
  const devices = knownDevices({ ...ofDevices, knownFor: limits.deviceKnownFor });
  const countedUnder = attemptCounts({ networkOf, siteOf, limits, purpose });
  const attemptOf = (
    authenticator: string,
    account: AttemptedAccount,
    source: string,
    device: string | undefined,
  ): Attempt => {
    const secret = secretOf(account);
    const name = nameOf(account);
    const id = devices.find(device, [authenticator, secret], clock.now());
    return countedUnder({ authenticator, name, secret, source, device: id });
  };

  const change = <Answer>(
    { counted, knownKey }: Attempt,
    decide: (counts: readonly Count[], known: Count, now: number) => ChangedCounts<Answer>,
  ): Promise<Answer> => {
    const now = clock.now();
    return store.change([knownKey, ...counted.map(({ key }) => key)], (found) => {
      const [known, ...counts] = found.map((count) => notAhead(count, now));
      const { answer, counts: changed, known: knownFrom = known } = decide(counts, known, now);
      return { answer, counts: [knownFrom, ...changed] };
    });
  };

  /** The counts with one attempt more, or one less. */
  const add = ({ counted }: Attempt, counts: readonly Count[], attempts: number, now: number) =>
    counted.map(({ limit }, index) => limit.add(counts[index], attempts, now));

  return (authenticator) => ({
    begin: (account, source, device) => {
      const attempt = attemptOf(authenticator, account, source, device);
      return change(attempt, (counts, known, now) => {
        const isKnown = known !== undefined && known.expires > now;
        const waits = attempt.counted.map(({ limit, sparesKnownNetwork }, index) =>
          sparesKnownNetwork && isKnown ? 0 : limit.wait(counts[index], now),
        );
        const wait = Math.max(...waits);
        return { answer: wait, counts: wait > 0 ? counts : add(attempt, counts, 1, now) };
      });
    },

    succeed: (account, source, device) => {
      const attempt = attemptOf(authenticator, account, source, device);
      return change(attempt, (counts, _known, now) => {
        // Only this attempt is taken back from shared counts: the owner of one account must not remove the failures at
        // other accounts, nor those of others at this one.
        const left = add(attempt, counts, -1, now).map((count, index) =>
          attempt.counted[index]?.endsWithSuccess ? undefined : count,
        );
        const known = { failures: 0, at: now, expires: now + limits.networkKnownFor };
        return { answer: undefined, counts: left, known };
      });
    },

    withdraw: (account, source, device) => {
      const attempt = attemptOf(authenticator, account, source, device);
      return change(attempt, (counts, _known, now) => ({
        answer: undefined,
        counts: add(attempt, counts, -1, now),
      }));
    },

    remember: (account, device) => devices.add(device, [authenticator, secretOf(account)], clock.now()),

    turn: (account, source, device) => {
      const isKnownDevice =
        devices.find(device, [authenticator, secretOf(account)], clock.now()) !== undefined;
      return { of: turnOf(isKnownDevice, authenticator, account, networkOf(source)), isKnownDevice };
    },
  });
}

/** An account has one turn at all devices that it knows, because each login makes another device of the same browser. */
function turnOf(isKnown: boolean, authenticator: string, account: AttemptedAccount, network: string): string {
  return isKnown ? `account ${authenticator} ${nameOf(account)}` : `network ${network}`;
}

function nameOf(account: AttemptedAccount): string {
  return typeof account === 'string' ? account : account.name;
}

function secretOf(account: AttemptedAccount): string {
  return typeof account === 'string' ? account : account.secret;
}

interface NamedAttempt {
  readonly authenticator: string;
  readonly name: string;
  readonly secret: string;
  readonly source: string;
  /** The id of a known device. */
  readonly device: string | undefined;
}

/** Makes the function that decides under which counts an attempt is counted. */
function attemptCounts({
  networkOf,
  siteOf,
  limits,
  purpose,
}: Required<Pick<LoginAttemptDependencies, 'networkOf' | 'siteOf' | 'limits' | 'purpose'>>): (
  attempt: NamedAttempt,
) => Attempt {
  const own = backOff(limits.perAccountAndNetwork);
  const [network, site] = [pace(limits.perNetwork), pace(limits.perSite)];
  const [ownSite, anywhere] = [pace(limits.perAccountAndSite), pace(limits.perAccount)];

  return ({ authenticator, name, secret, source, device }) => {
    const [ofNetwork, ofSite] = [networkOf(source), siteOf(source)];
    const knownKey = key('known', authenticator, secret, ofNetwork);
    if (device !== undefined) {
      // Guesses of others, from anywhere, do not slow down the device of the owner.
      const counted = {
        key: key(`${purpose}device`, authenticator, name, device),
        limit: own,
        endsWithSuccess: true,
      };
      return { counted: [counted], knownKey };
    }
    const counted: Counted[] = [
      { key: key(`${purpose}own`, authenticator, name, ofNetwork), limit: own, endsWithSuccess: true },
      { key: key(`${purpose}address`, ofNetwork), limit: network },
      { key: key(`${purpose}account`, authenticator, name), limit: anywhere, sparesKnownNetwork: true },
    ];
    if (ofSite !== undefined) {
      counted.push({
        key: key(`${purpose}ownsite`, authenticator, name, ofSite),
        limit: ownSite,
        sparesKnownNetwork: true,
      });
      counted.push({ key: key(`${purpose}site`, ofSite), limit: site });
    }
    return { counted, knownKey };
  };
}

interface ChangedCounts<Answer> {
  readonly answer: Answer;
  readonly counts: readonly Count[];
  /** Stored for the network; absent = unchanged. */
  readonly known?: Count;
}

/**
 * A digest, because a user can type a password into the field of the user name. Half of SHA-256: rows are short, and no two
 * accounts share one.
 */
function key(kind: string, ...parts: string[]): string {
  return `${kind} ${hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22)}`;
}
