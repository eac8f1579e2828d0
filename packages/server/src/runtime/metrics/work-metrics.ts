import type { BackgroundWork } from '@watchword/administration';
import { described } from './descriptions.ts';
import { withPatience } from './patience.ts';
import { Gauge, type Registry } from './prom-client.ts';

/** Adds the state of background work, which one node does for all. A rejection leaves it out. */
export function observeWork(registry: Registry, read: () => Promise<readonly BackgroundWork[]>): void {
  let underWay: Promise<readonly BackgroundWork[]> | undefined;
  // Both metrics have the answer of one reading.
  const readOnce = async () => {
    underWay ??= read().finally(() => {
      underWay = undefined;
    });
    return (await withPatience(underWay).catch(() => undefined)) ?? [];
  };
  new Gauge({
    ...described('watchword_background_work_overdue'),
    registers: [registry],
    async collect() {
      this.reset();
      for (const { name, isOverdue } of await readOnce()) this.set({ work: name }, isOverdue ? 1 : 0);
    },
  });
  new Gauge({
    ...described('watchword_background_work_last_success_timestamp_seconds'),
    registers: [registry],
    async collect() {
      this.reset();
      for (const { name, lastSuccess } of await readOnce()) {
        if (lastSuccess !== undefined) this.set({ work: name }, lastSuccess / 1000);
      }
    },
  });
}
