import { Gauge, type Registry } from './prom-client.ts';

/** @param waiting number of requests */
export function observeWaitingForRevocations(registry: Registry, waiting: () => number): void {
  new Gauge({
    name: 'watchword_revocation_feed_waiting',
    help: 'Requests of resource servers that wait for a revocation.',
    registers: [registry],
    collect() {
      this.set(waiting());
    },
  });
}
