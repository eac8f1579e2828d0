import type { BackgroundWork, ConfigurationDrift, FailedLogins } from '@watchword/administration';
import { protocolErrors } from '@watchword/protocol';
import type { RegistryStatistics, ServerStore } from '@watchword/store-sql';
import type { ExpiringSecrets } from '../nodes/expiring-secrets.ts';
import { observeConfigurations, observeExpiringSecrets } from './configuration-metrics.ts';
import {
  type ObservedDatabase,
  observeConnections,
  observeDatabase,
  observePrimary,
  observeRecords,
} from './database-metrics.ts';
import { described, type MetricName } from './descriptions.ts';
import {
  accountEventCounter,
  factorCounter,
  factorEventCounter,
  idTokenCounter,
  logoutTokenCounter,
  mailCounter,
  moduleFailureCounter,
  spanCounter,
} from './event-counters.ts';
import type { MetricsPart, SharedMetrics } from './exposition.ts';
import { RecentFailedLogins } from './failed-logins.ts';
import { observePasswords } from './password-load.ts';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from './prom-client.ts';
import { RequestDurations } from './request-durations.ts';
import { observeWaitingForRevocations } from './revocation-metrics.ts';
import { observeWork } from './work-metrics.ts';

/** The errors that only an operator can end. */
const failures = Object.entries(protocolErrors).flatMap(([name, { status }]) =>
  status >= 500 ? [name] : [],
);

const batchBuckets = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024];

export type LoginOutcome = (typeof loginOutcomes)[number];
const loginOutcomes = ['success', 'failure', 'busy', 'error'] as const;

/** Keys of an algorithm in a state. */
export interface SigningKeyCount {
  readonly algorithm: string;
  readonly state: string;
  readonly keys: number;
}

let ofProcess: Registry | undefined;

/** The metrics of Node.js and the operating system. Made once: their observers never end, and would keep each server in memory. */
function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
  }
  return ofProcess;
}

/** The metrics of a process, with their names in Prometheus. There is no label per client or per token. */
export class Metrics {
  /** What this process counts. */
  readonly #registry = new Registry();
  /** What every process on the database would report the same. */
  readonly #shared = new Registry();
  readonly requests = new RequestDurations();
  /** By grant type. */
  readonly #issued = new Map<string, number>();
  readonly #failedLogins = new RecentFailedLogins();
  readonly #errors = new Counter({
    ...described('watchword_request_errors_total'),
    registers: [this.#registry],
  });
  readonly #commits = new Histogram({
    ...described('watchword_commit_batch_size'),
    buckets: batchBuckets,
    registers: [this.#registry],
  });
  readonly #purged = new Counter({
    ...described('watchword_purged_rows_total'),
    registers: [this.#registry],
  });
  readonly #moduleFailures = moduleFailureCounter(this.#registry);
  readonly logoutTokens = logoutTokenCounter(this.#registry);
  readonly mails = mailCounter(this.#registry);
  readonly countAccountEvent = accountEventCounter(this.#registry);
  readonly countFactorEvent = factorEventCounter(this.#registry);
  readonly factorPresented = factorCounter(this.#registry);
  readonly idTokens = idTokenCounter(this.#registry);

  /** Absent if the database has no search for damage. */
  #damaged: Gauge | undefined;

  readonly #logins = new Counter({
    ...described('watchword_logins_total'),
    registers: [this.#registry],
  });

  /** @param version of the server */
  constructor(version: string) {
    processMetrics();
    new Gauge({
      ...described('watchword_build_info'),
      registers: [this.#shared],
    }).set({ version, node: process.version }, 1);
    // From 0 on, so that the first one is an increase.
    for (const error of failures) this.#errors.inc({ error }, 0);
    const issued = this.#issued;
    new Counter({
      ...described('watchword_tokens_issued_total'),
      registers: [this.#registry],
      collect() {
        this.reset();
        for (const [grantType, tokens] of issued) this.inc({ grant_type: grantType }, tokens);
      },
    });
  }

  tokenIssued(grantType: string): void {
    this.#issued.set(grantType, (this.#issued.get(grantType) ?? 0) + 1);
  }

  requestFailed(error: string): void {
    this.#errors.inc({ error });
  }

  /** @param failure the kind of the failure, in one word */
  moduleFailed(setting: string, failure: string): void {
    this.#moduleFailures.inc({ setting, failure });
  }

  /** Requests answered with an error since the start, by the name of the error. */
  async errors(): Promise<{ error: string; requests: number }[]> {
    const { values } = await this.#errors.get();
    return values
      .filter(({ value }) => value > 0)
      .map(({ labels, value }) => ({ error: String(labels.error), requests: value }));
  }

  loginEnded(authenticator: string, outcome: LoginOutcome): void {
    if (outcome === 'failure') this.#failedLogins.add();
    this.#logins.inc({ authenticator, outcome });
  }

  /** Failed logins of the last two hours. */
  failedLogins(): FailedLogins {
    return this.#failedLogins.read();
  }

  committed(batchSize: number): void {
    this.#commits.observe(batchSize);
  }

  purged(kind: string, rows: number): void {
    this.#purged.inc({ kind }, rows);
  }

  observeSpans(read: () => Readonly<Record<string, number>>): void {
    spanCounter(this.#registry, read);
  }

  /** Adds the metric of damage, for a database in which the server searches for damage. */
  observeExamination(): void {
    this.#damaged = new Gauge({
      ...described('watchword_database_damaged'),
      registers: [this.#registry],
    });
  }

  examined(isDamaged: boolean): void {
    this.#damaged?.set(isDamaged ? 1 : 0);
  }

  /** Begins the counts of logins at 0, so that the first login is an increase. */
  observeLogins(authenticators: Iterable<string>): void {
    for (const authenticator of authenticators) {
      for (const outcome of loginOutcomes) this.#logins.inc({ authenticator, outcome }, 0);
    }
  }

  observeDatabase(database: ObservedDatabase): void {
    observeDatabase({ registry: this.#registry, shared: this.#shared }, database);
  }

  /** Adds the state of background work. */
  observeWork(read: () => Promise<readonly BackgroundWork[]>): void {
    observeWork(this.#shared, read);
  }

  /** Adds how many records of configurations are not as they were applied. */
  observeConfigurations(read: () => Promise<readonly ConfigurationDrift[]>): void {
    observeConfigurations(this.#shared, read);
  }

  /** Adds how many clients have secrets that all expire. */
  observeExpiringSecrets(read: () => ExpiringSecrets): void {
    observeExpiringSecrets(this.#shared, read);
  }

  /** Adds metrics that other parts count. They are read when the metrics are read. */
  observeRegistry(statistics: () => RegistryStatistics): void {
    observeRecords({ registry: this.#registry, shared: this.#shared }, statistics);
  }

  /** Adds the metrics of the connections to the database, and of its primary, if it has them. */
  observePools({ connections, primary }: Pick<ServerStore, 'connections' | 'primary'>): void {
    if (primary !== undefined) observePrimary(this.#registry, primary);
    if (connections !== undefined) observeConnections(this.#registry, connections);
  }

  /** Adds the number of signing keys by algorithm and state. */
  observeSigningKeys(counts: () => readonly SigningKeyCount[]): void {
    new Gauge({
      ...described('watchword_signing_keys'),
      registers: [this.#shared],
      collect() {
        this.reset();
        for (const { algorithm, state, keys } of counts()) this.set({ algorithm, state }, keys);
      },
    });
  }

  observePasswords(load: Parameters<typeof observePasswords>[1], refused: () => number): void {
    observePasswords(this.#registry, load, refused);
  }

  observeWaitingForRevocations(waiting: () => number): void {
    observeWaitingForRevocations(this.#registry, waiting);
  }

  observeDroppedRequestErrors(dropped: () => number): void {
    this.#observeCount('watchword_request_errors_not_stored_total', dropped);
  }

  observeDroppedLogLines(dropped: () => number): void {
    this.#observeCount('watchword_log_lines_dropped_total', dropped);
  }

  /** @param workers whether this process answers requests, as a number @param restarted workers that it has replaced */
  observeWorkers(workers: 0 | 1, restarted: () => number): void {
    new Gauge({
      ...described('watchword_workers'),
      registers: [this.#registry],
    }).set(workers);
    this.#observeCount('watchword_worker_restarts_total', restarted);
  }

  #observeCount(name: MetricName, read: () => number): void {
    new Counter({
      ...described(name),
      registers: [this.#registry],
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }

  async part(): Promise<MetricsPart> {
    const [own, ofNode] = await Promise.all([
      this.#registry.getMetricsAsJSON(),
      processMetrics().getMetricsAsJSON(),
    ]);
    return { families: [...own, ...ofNode], requests: this.requests.read() };
  }

  shared(): Promise<SharedMetrics> {
    return this.#shared.getMetricsAsJSON();
  }
}
