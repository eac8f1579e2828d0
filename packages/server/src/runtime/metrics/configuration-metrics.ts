import type { ConfigurationDrift } from '@watchword/administration';
import { described } from './descriptions.ts';
import { withPatience } from './patience.ts';
import { Gauge, type Registry } from './prom-client.ts';

/** Adds how many records of each configuration are not as it was applied. A rejection leaves it out. */
export function observeConfigurations(
  registry: Registry,
  read: () => Promise<readonly ConfigurationDrift[]>,
): void {
  new Gauge({
    ...described('watchword_configuration_drifted_records'),
    registers: [registry],
    async collect() {
      this.reset();
      const drifts = (await withPatience(read()).catch(() => undefined)) ?? [];
      for (const { name, records, isRestored } of drifts)
        this.set({ configuration: name }, Math.max(records, isRestored ? 1 : 0));
    },
  });
}
