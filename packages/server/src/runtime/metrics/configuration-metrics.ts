import type { ConfigurationDrift } from '@watchword/administration';
import { withPatience } from './patience.ts';
import { Gauge, type Registry } from './prom-client.ts';

/** Adds how many records of each configuration are not as it was applied. A rejection leaves it out. */
export function observeConfigurations(
  registry: Registry,
  read: () => Promise<readonly ConfigurationDrift[]>,
): void {
  new Gauge({
    name: 'watchword_configuration_drifted_records',
    help: 'Records of a configuration that are not as it was applied; at least 1 after the database was restored.',
    labelNames: ['configuration'] as const,
    registers: [registry],
    async collect() {
      this.reset();
      const drifts = (await withPatience(read()).catch(() => undefined)) ?? [];
      for (const { name, records, isRestored } of drifts)
        this.set({ configuration: name }, Math.max(records, isRestored ? 1 : 0));
    },
  });
}
