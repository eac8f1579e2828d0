import type { LoginAttempts } from '@watchword/protocol';
import { type LoginAttemptDependencies, type LoginLimits, loginAttempts } from './login-attempts.ts';

const second = 1000;
const minute = 60 * second;
const day = 24 * 60 * minute;

// Each guess at a one-time code is right once in 330,000 times, for whoever knows the password too: a day has about a hundred from anywhere.
const ofCodes: LoginLimits = {
  perAccountAndNetwork: { free: 5, firstWait: 5 * second, maxWait: 15 * minute, forgetAfter: 60 * minute },
  perAccountAndSite: { burst: 15, interval: 15 * minute },
  perNetwork: { burst: 60, interval: 10 * second },
  perSite: { burst: 240, interval: 2.5 * second },
  perAccount: { burst: 15, interval: 15 * minute },
  networkKnownFor: 30 * day,
  deviceKnownFor: 365 * day,
};

const unlimited = { burst: Number.POSITIVE_INFINITY, interval: 1 };

/** Nobody guesses 80 bits, and whoever types wrong codes must not keep the owner from the last way that is left. */
const ofRecoveryCodes: LoginLimits = {
  ...ofCodes,
  perAccount: unlimited,
  perAccountAndSite: unlimited,
};

/** Limits guesses at second factors. They are counted apart from passwords, and only for those who have passed the first factor. */
export interface FactorLimits {
  readonly codes: LoginAttempts;
  readonly recoveryCodes: LoginAttempts;
}

/** Devices and networks are known by a second factor alone: whoever knows the password has none of them. */
export function factorLimits(deps: Omit<LoginAttemptDependencies, 'limits' | 'purpose'>): FactorLimits {
  const of = (limits: LoginLimits, purpose: string) =>
    loginAttempts({ ...deps, limits, purpose })('second factor');
  return { codes: of(ofCodes, 'code '), recoveryCodes: of(ofRecoveryCodes, 'recovery ') };
}
