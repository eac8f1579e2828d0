import type { TraceIds } from '../request-tracing.ts';
import { described } from './descriptions.ts';

const { name, help } = described('watchword_http_request_duration_seconds');
// Seconds, each the upper bound of a bucket.
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;

/** The requests of one method and route that were answered with one status. */
interface Series {
  /** In the order of the bounds. The last count is for requests that took longer than all bounds. */
  readonly counts: number[];
  sum: number;
  /** Absent until a request is traced. By the index of its count: the last traced request. */
  exemplars?: Record<number, Exemplar>;
}

/** A traced request, as an example for the others of its bucket (OpenMetrics 1.0, Exemplars). */
interface Exemplar extends TraceIds {
  readonly seconds: number;
  /** Epoch seconds. */
  readonly time: number;
}

/** A series, as one process counted it. */
export interface RequestSeries extends Readonly<Series> {
  /** As Prometheus writes labels. */
  readonly labels: string;
}

/**
 * A histogram in the format of Prometheus. The histogram of the library looks up and checks its labels at each observation,
 * which cost more than all other metrics of a request.
 */
export class RequestDurations {
  readonly #series = new Map<string, Map<number, Map<string, Series>>>();

  /** @param trace of the request, if its spans are sent */
  observe(method: string, route: string, status: number, seconds: number, trace?: TraceIds): void {
    const series = this.#series.get(route)?.get(status)?.get(method) ?? this.#add(method, route, status);
    let bucket = 0;
    while (seconds > (bounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.sum += seconds;
    if (trace === undefined) return;
    series.exemplars ??= {};
    series.exemplars[bucket] = { ...trace, seconds, time: Date.now() / 1000 };
  }

  read(): RequestSeries[] {
    const found: RequestSeries[] = [];
    for (const [route, byStatus] of this.#series) {
      for (const [status, byMethod] of byStatus) {
        for (const [method, series] of byMethod) {
          found.push({ labels: `method="${method}",route="${route}",status="${status}"`, ...series });
        }
      }
    }
    return found;
  }

  #add(method: string, route: string, status: number): Series {
    const byStatus = this.#series.get(route) ?? new Map<number, Map<string, Series>>();
    const byMethod = byStatus.get(status) ?? new Map<string, Series>();
    const series = { counts: [...bounds, 0].map(() => 0), sum: 0 };
    this.#series.set(route, byStatus.set(status, byMethod.set(method, series)));
    return series;
  }
}

/**
 * The sums of several processes, in the Prometheus text format.
 *
 * @param withExemplars adds traced requests, which only OpenMetrics has
 */
export function exposeDurations(series: readonly RequestSeries[], withExemplars = false): string {
  const byLabels = new Map<string, Series>();
  for (const { labels, ...each } of series) {
    const before = byLabels.get(labels);
    byLabels.set(labels, before === undefined ? each : sumOf(before, each));
  }
  const lines = [...byLabels].flatMap(([labels, each]) => seriesLines(labels, each, withExemplars));
  return `${[`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines].join('\n')}\n`;
}

function sumOf(one: Series, other: Series): Series {
  return {
    counts: one.counts.map((count, index) => count + (other.counts[index] ?? 0)),
    sum: one.sum + other.sum,
    exemplars: { ...one.exemplars, ...other.exemplars },
  };
}

function seriesLines(
  labels: string,
  { counts, sum, exemplars = {} }: Series,
  withExemplars: boolean,
): string[] {
  let count = 0;
  const buckets = counts.map((inBucket, index) => {
    count += inBucket;
    const exemplar = withExemplars ? exemplarText(exemplars[index]) : '';
    return `${name}_bucket{le="${bounds[index] ?? '+Inf'}",${labels}} ${count}${exemplar}`;
  });
  return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${count}`];
}

function exemplarText(exemplar: Exemplar | undefined): string {
  if (exemplar === undefined) return '';
  const { traceId, spanId, seconds, time } = exemplar;
  return ` # {trace_id="${traceId}",span_id="${spanId}"} ${seconds} ${time.toFixed(3)}`;
}
