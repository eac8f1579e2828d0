import type { LoginAttempts, ModuleServices } from '@watchword/protocol';
import { instanceKey, instancePath } from '../named-instance.ts';

/** The services for all modules, from which the services of one module are made. */
export interface SharedServices extends Omit<ModuleServices, 'endpointUrl' | 'loginAttempts'> {
  /** @param authenticator whose accounts are counted */
  loginAttemptsOf(authenticator: string): LoginAttempts;
}

/** The instance of a module for which services are made. */
export interface ServedInstance {
  /** Called when the module counts an attempt, because the name can be unknown until the module is made. */
  name(): string;
  /** The name that the operator gave the instance, if any. It makes the keys and addresses of the instance unique. */
  readonly as?: string | undefined;
}

export function instanceServices(shared: SharedServices, { name, as }: ServedInstance): ModuleServices {
  const { clock, random, oneTime, createOutboundFetch, baseUrl, loginAttemptsOf } = shared;
  const key = (own: string) => (as === undefined ? own : instanceKey(as, own));
  const root = as === undefined ? baseUrl : `${baseUrl}${instancePath(as)}`;
  return {
    clock,
    random,
    createOutboundFetch,
    baseUrl,
    endpointUrl: (path) => `${root}${path}`,
    oneTime: {
      put: (own, value, expires) => oneTime.put(key(own), value, expires),
      take: (own, now) => oneTime.take(key(own), now),
      find: (own, now) => oneTime.find(key(own), now),
    },
    loginAttempts: {
      begin: (...attempt) => loginAttemptsOf(name()).begin(...attempt),
      succeed: (...attempt) => loginAttemptsOf(name()).succeed(...attempt),
      withdraw: (...attempt) => loginAttemptsOf(name()).withdraw(...attempt),
      remember: (account, device) => loginAttemptsOf(name()).remember(account, device),
      turn: (...attempt) => loginAttemptsOf(name()).turn(...attempt),
    },
  };
}
