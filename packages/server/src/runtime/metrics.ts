import type { RegistryStatistics } from '@watchword/store-sql';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { RequestDurations } from './request-durations.ts';

const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

/** The metrics, with their names in Prometheus. There is no label per client or per token. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new RequestDurations();
  /** By grant type. */
  readonly #issued = new Map<string, number>();
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
  readonly #purged = new Counter({
    name: 'watchword_purged_rows_total',
    help: 'Dead rows removed.',
    labelNames: ['kind'] as const,
    registers: [this.#registry],
  });
  readonly #moduleFaults = new Counter({
    name: 'watchword_module_faults_total',
    help: 'Calls of the authentication or consent module that it did not answer as it should.',
    labelNames: ['setting', 'fault'] as const,
    registers: [this.#registry],
  });

  readonly #damaged = new Gauge({
    name: 'watchword_database_damaged',
    help: 'Whether damage was found when the database was read whole after the start.',
    registers: [this.#registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    const issued = this.#issued;
    new Counter({
      name: 'watchword_tokens_issued_total',
      help: 'Access tokens issued.',
      labelNames: ['grant_type'] as const,
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [grantType, tokens] of issued) this.inc({ grant_type: grantType }, tokens);
      },
    });
  }

  requestAnswered(method: string, route: string, status: number, seconds: number): void {
    this.#requests.observe(method, route, status, seconds);
  }

  tokenIssued(grantType: string): void {
    this.#issued.set(grantType, (this.#issued.get(grantType) ?? 0) + 1);
  }

  refused(error: string): void {
    this.#refusals.inc({ error });
  }

  /** @param fault the kind of the error, in one word */
  moduleFailed(setting: string, fault: string): void {
    this.#moduleFaults.inc({ setting, fault });
  }

  /** Requests answered with an error since the start, by the name of the error. */
  async refusals(): Promise<{ reason: string; requests: number }[]> {
    const { values } = await this.#refusals.get();
    return values.map(({ labels, value }) => ({ reason: String(labels.error), requests: value }));
  }

  committed(batchSize: number): void {
    this.#commits.observe(batchSize);
  }

  purged(kind: string, rows: number): void {
    this.#purged.inc({ kind }, rows);
  }

  examined(isDamaged: boolean): void {
    this.#damaged.set(isDamaged ? 1 : 0);
  }

  /** Adds metrics that other parts count. They are read when the metrics are read. */
  observeRegistry(statistics: () => RegistryStatistics): void {
    new Counter({
      name: 'watchword_configuration_cache_lookups_total',
      help: 'Lookups of clients and resource servers, by whether memory had the record.',
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
      help: 'Log lines dropped because nobody read them in time, or because they could not be written.',
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
  async expose(): Promise<string> {
    return `${await this.#registry.metrics()}${this.#requests.expose()}`;
  }
}
