import {
  AggregatorRegistry,
  type MetricObjectWithValues,
  type MetricValue,
  prometheusContentType,
} from 'prom-client';
import { exposeDurations, type RequestSeries } from './request-durations.ts';
import type { Question, Siblings } from './siblings.ts';

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

export const expositionType = prometheusContentType;

/** The metrics of all processes that answer at the port, as sums, in the Prometheus text format. */
export async function expose(siblings: Siblings): Promise<string> {
  const [parts, shared = []] = await Promise.all([
    siblings.askAll(metricsQuestion),
    siblings.askOne(sharedMetricsQuestion),
  ]);
  const families = [...parts.map((part) => part.families), shared].map((each) => each.map(kept));
  const sums = await AggregatorRegistry.aggregate(families).metrics();
  return sums + exposeDurations(parts.flatMap(({ requests }) => requests));
}

/** The library leaves the start time out of sums: the first start is kept. */
function kept(family: Families[number]): Families[number] {
  return family.aggregator === 'omit' ? { ...family, aggregator: 'min' } : family;
}
