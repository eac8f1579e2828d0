import type { ConfigurationDrift } from '@watchword/administration';
import type { ExpiringSecrets } from '../nodes/expiring-secrets.ts';
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

/** Adds how many clients cannot authenticate any more, or soon, because their secrets expire. */
export function observeExpiringSecrets(registry: Registry, read: () => ExpiringSecrets): void {
  new Gauge({
    ...described('watchword_clients_with_expiring_secrets'),
    registers: [registry],
    collect() {
      const { expired, soon } = read();
      this.set({ state: 'expired' }, expired.length);
      this.set({ state: 'soon' }, soon.length);
    },
  });
}
