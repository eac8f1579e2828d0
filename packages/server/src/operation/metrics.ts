import type { RegistryStatistics } from '@watchword/store-sql';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const latencyBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** What is measured, in the names that Prometheus sees. Never a label per client or per token. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new Histogram({
    name: 'watchword_http_request_duration_seconds',
    help: 'Time from the arrival of a request to the end of its answer; its count is the number of requests.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: latencyBuckets,
    registers: [this.#registry],
  });
  readonly #observers = new Map<string, (seconds: number) => void>();
  readonly #issued = new Counter({
    name: 'watchword_tokens_issued_total',
    help: 'Access tokens issued.',
    labelNames: ['grant_type'] as const,
    registers: [this.#registry],
  });
  readonly #refusals = new Counter({
    name: 'watchword_refusals_total',
    help: 'Requests answered with an error.',
    labelNames: ['error'] as const,
    registers: [this.#registry],
  });
  readonly #commits = new Histogram({
    name: 'watchword_commit_batch_size',
    help: 'Writes that shared one durable commit.',
    buckets: batchBuckets,
    registers: [this.#registry],
  });
  readonly #reaped = new Counter({
    name: 'watchword_reaped_rows_total',
    help: 'Dead rows removed.',
    labelNames: ['kind'] as const,
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
  }

  requestAnswered(method: string, route: string, status: number, seconds: number): void {
    const key = `${method} ${route} ${status}`;
    let observe = this.#observers.get(key);
    if (observe === undefined) {
      const labelled = this.#requests.labels({ method, route, status });
      observe = (value) => labelled.observe(value);
      this.#observers.set(key, observe);
    }
    observe(seconds);
  }

  tokenIssued(grantType: string): void {
    this.#issued.inc({ grant_type: grantType });
  }

  refused(error: string): void {
    this.#refusals.inc({ error });
  }

  committed(batchSize: number): void {
    this.#commits.observe(batchSize);
  }

  reaped(kind: string, rows: number): void {
    this.#reaped.inc({ kind }, rows);
  }

  /** Reports what others count, read when the metrics are. */
  observeRegistry(statistics: () => RegistryStatistics): void {
    new Counter({
      name: 'watchword_configuration_cache_lookups_total',
      help: 'Look-ups of clients and resource servers, by whether memory had the record.',
      labelNames: ['result'] as const,
      registers: [this.#registry],
      collect() {
        const { hits, misses } = statistics();
        this.reset();
        this.inc({ result: 'hit' }, hits);
        this.inc({ result: 'miss' }, misses);
      },
    });
    new Gauge({
      name: 'watchword_registered_records',
      help: 'Registered clients and resource servers.',
      labelNames: ['kind'] as const,
      registers: [this.#registry],
      collect() {
        const { clients, resourceServers } = statistics();
        this.set({ kind: 'client' }, clients);
        this.set({ kind: 'resource_server' }, resourceServers);
      },
    });
  }

  observeDroppedLogLines(dropped: () => number): void {
    new Counter({
      name: 'watchword_log_lines_dropped_total',
      help: 'Times that log lines were dropped because nobody read them.',
      registers: [this.#registry],
      collect() {
        this.reset();
        this.inc(dropped());
      },
    });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The Prometheus text format. */
  expose(): Promise<string> {
    return this.#registry.metrics();
  }
}
