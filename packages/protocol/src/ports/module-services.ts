import type { Clock } from './clock.ts';
import type { LoginAttempts } from './login-attempts.ts';
import type { OneTimeStore } from './one-time-store.ts';
import type { OutboundFetch, OutboundPolicy } from './outbound-fetch.ts';
import type { Random } from './random.ts';

/**
 * What a module can use of the server. The modules that are built in use the same. `oneTime` and `loginAttempts` work once
 * the server has started.
 */
export interface ModuleServices {
  readonly clock: Clock;
  readonly random: Random;
  readonly oneTime: OneTimeStore;
  readonly loginAttempts: LoginAttempts;
  /** Makes a function for requests to other servers. The operator decides on the policy, by the options of the module. */
  createOutboundFetch(policy?: OutboundPolicy): OutboundFetch;
  /** The base URL, without a slash at its end. */
  readonly baseUrl: string;
  /** The URL of an address of the module's own, by its `path`. It has the name of the instance where the operator gave it one. */
  endpointUrl(path: string): string;
}
