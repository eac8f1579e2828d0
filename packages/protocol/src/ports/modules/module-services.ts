import type { Random } from '../crypto/random.ts';
import type { OneTimeStore } from '../stores/logins/one-time-store.ts';
import type { Clock } from '../system/clock.ts';
import type { OutboundFetch, OutboundPolicy } from '../system/outbound-fetch.ts';
import type { LoginAttempts } from './login-attempts.ts';

/**
 * The parts of the server that a module can use. Built-in modules use the same. `oneTime` and `loginAttempts` work after the
 * server has started.
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
  /**
   * The URL of an address of the module's own, by its `path`. If the operator named the instance, the URL contains that name.
   */
  endpointUrl(path: string): string;
}
