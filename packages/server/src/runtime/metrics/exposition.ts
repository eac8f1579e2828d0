import type { MetricObjectWithValues, MetricValue } from 'prom-client';
import type { Question, Siblings } from '../nodes/siblings.ts';
import { AggregatorRegistry, Registry } from './prom-client.ts';
import { exposeDurations, type RequestSeries } from './request-durations.ts';

type Families = MetricObjectWithValues<MetricValue<string>>[];

/** What a process counts, as data. */
export interface MetricsPart {
  readonly families: Families;
  readonly requests: readonly RequestSeries[];
}

/** What every process on the database would report the same. */
export type SharedMetrics = Families;

export const metricsQuestion: Question<MetricsPart> = { name: 'metrics' };
export const sharedMetricsQuestion: Question<SharedMetrics> = { name: 'shared-metrics' };

/** The text formats of metrics. Only OpenMetrics has exemplars. */
export const expositionTypes = {
  prometheus: Registry.PROMETHEUS_CONTENT_TYPE,
  openMetrics: Registry.OPENMETRICS_CONTENT_TYPE,
} as const;

export type ExpositionFormat = keyof typeof expositionTypes;

/** The metrics of all processes that answer at the port, as sums. */
export async function expose(siblings: Siblings, format: ExpositionFormat): Promise<string> {
  const [parts, shared = []] = await Promise.all([
    siblings.askAll(metricsQuestion),
    siblings.askOne(sharedMetricsQuestion),
  ]);
  const families = [...parts.map((part) => part.families), shared].map((each) => each.map(kept));
  const requests = parts.flatMap((part) => part.requests);
  if (format === 'prometheus') {
    const sums = await AggregatorRegistry.aggregate(families).metrics();
    return sums + exposeDurations(requests, false);
  }
  const named = families.map((each) => each.map(withoutTotal));
  const registry = AggregatorRegistry.aggregate(named);
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const sums = await registry.metrics();
  return sums.replace(/# EOF\n$/, `${exposeDurations(requests, true)}# EOF\n`);
}

/** In OpenMetrics the family of a counter has its name without `_total`. The library does not do it for sums. */
function withoutTotal(family: Families[number]): Families[number] {
  const isCounter = String(family.type) === 'counter';
  return isCounter ? { ...family, name: family.name.replace(/_total$/, '') } : family;
}

/** The library leaves the start time out of sums: the first start is kept. */
function kept(family: Families[number]): Families[number] {
  return family.aggregator === 'omit' ? { ...family, aggregator: 'min' } : family;
}
