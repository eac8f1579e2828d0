import { attemptedAccount, type MailLimits } from '@watchword/accounts';
import { accountIdentityProvider } from '@watchword/protocol';
import { type LoginAttemptDependencies, type LoginLimits, loginAttempts } from './login-attempts.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const limits: LoginLimits = {
  perAccountAndNetwork: { free: 3, firstWait: 5 * minute, maxWait: hour, forgetAfter: day },
  perAccountAndSite: { burst: 6, interval: 30 * minute },
  perNetwork: { burst: 20, interval: 2 * minute },
  perSite: { burst: 80, interval: minute / 2 },
  // From networks that the owner does not use: who floods an account keeps its owner from no mail.
  perAccount: { burst: 10, interval: hour },
  networkKnownFor: 30 * day,
  deviceKnownFor: 365 * day,
};

// Whoever knows the password of one account hides no login to another one behind many of the own, nor one from another network.
const unlimited = { burst: Number.POSITIVE_INFINITY, interval: 1 };
const ofLogins: LoginLimits = {
  ...limits,
  ...{ perNetwork: unlimited, perSite: unlimited, perAccount: unlimited },
};

/** Limits how many mails a network address can ask for, and how many an account gets. All nodes count in one store. */
export function mailLimits(deps: Omit<LoginAttemptDependencies, 'limits' | 'purpose'>): MailLimits {
  const asked = loginAttempts({ ...deps, limits, purpose: 'ask ' })(accountIdentityProvider);
  const mailed = loginAttempts({ ...deps, limits, purpose: 'mail ' })(accountIdentityProvider);
  const told = loginAttempts({ ...deps, limits: ofLogins, purpose: 'told ' })(accountIdentityProvider);
  return {
    // Each network has counts of its own: what others type from elsewhere lets nobody wait.
    wait: (typed, source) => asked.begin(`typed ${deps.networkOf(source)} ${typed}`, source),
    async allows(named, { source, device }) {
      const account = typeof named === 'string' ? `name ${named}` : attemptedAccount(named.username, named);
      return (await mailed.begin(account, source, device)) === 0;
    },
    tells: async (account, source) =>
      (await told.begin(attemptedAccount(account.username, account), source)) === 0,
  };
}
