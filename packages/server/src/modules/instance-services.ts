import type { ModuleServices } from '@watchword/protocol';
import { instanceKey, instancePath } from './named-instance.ts';

/** What all modules may use of the server. */
export type SharedServices = Omit<ModuleServices, 'endpointUrl'>;

/** The same for one module. @param as the name that the operator gave the instance, which keeps its keys apart */
export function instanceServices(shared: SharedServices, as?: string): ModuleServices {
  const { clock, random, oneTime, baseUrl } = shared;
  const key = (own: string) => (as === undefined ? own : instanceKey(as, own));
  const path = as === undefined ? '' : instancePath(as);
  return {
    clock,
    random,
    baseUrl,
    endpointUrl: (own) => `${baseUrl()}${path}${own}`,
    oneTime: {
      put: (own, value, expires) => oneTime.put(key(own), value, expires),
      take: (own, now) => oneTime.take(key(own), now),
    },
  };
}
