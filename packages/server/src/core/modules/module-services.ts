import { createOutboundFetch } from '@watchword/outbound';
import type { Clock, Random } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { type FactorLimits, factorLimits } from '../../modules/services/factor-limits.ts';
import type { SharedServices } from '../../modules/services/instance-services.ts';
import { loginAttempts } from '../../modules/services/login-attempts.ts';
import { mailLimits } from '../../modules/services/mail-limits.ts';
import { addressGroup, addressSite } from '../../runtime/limits/address-group.ts';
import type { Tracing } from '../../tracing/tracing.ts';
import { withTraces } from '../outbound.ts';
import type { Mailing } from '../people/mailing.ts';

export interface ServiceDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly baseUrl: string;
  /**
   * Called when a module uses it. Modules are made before the database is opened, so that a module that cannot be loaded does
   * not change the database.
   */
  store(): Pick<Store, 'oneTime' | 'loginAttempts'>;
  /** The key of digests of the database. Called as `store` is. */
  digestKey(): Uint8Array;
  readonly tracing: Tracing | undefined;
}

/** The services of the server for modules. */
export function composeServices({
  clock,
  random,
  baseUrl,
  store,
  digestKey,
  tracing,
}: ServiceDependencies): SharedServices &
  Pick<Mailing, 'mailLimits'> & { readonly factorLimits: FactorLimits } {
  const attempts = { change: (keys, decide) => store().loginAttempts.change(keys, decide) } satisfies Pick<
    Store['loginAttempts'],
    'change'
  >;
  const counting = {
    ...{ store: attempts, clock, random, digestKey },
    networkOf: addressGroup,
    siteOf: addressSite,
  };
  return {
    clock,
    random,
    baseUrl,
    createOutboundFetch: (policy) => withTraces(createOutboundFetch(policy), tracing),
    oneTime: {
      put: (key, value, expires) => store().oneTime.put(key, value, expires),
      take: (key, now) => store().oneTime.take(key, now),
      find: (key, now) => store().oneTime.find(key, now),
    },
    loginAttemptsOf: loginAttempts(counting),
    mailLimits: mailLimits(counting),
    factorLimits: factorLimits(counting),
  };
}
