import { described } from './descriptions.ts';
import { Gauge, type Registry } from './prom-client.ts';

/** @param waiting number of requests */
export function observeWaitingForRevocations(registry: Registry, waiting: () => number): void {
  new Gauge({
    ...described('watchword_revocation_feed_waiting'),
    registers: [registry],
    collect() {
      this.set(waiting());
    },
  });
}
