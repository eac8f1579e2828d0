/** What a metric is, for `/metrics` and for the page of the site. */
interface MetricDescription {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  readonly help: string;
}

/** Every metric of the server. A metric that only one database has says so in its help. */
export const metricDescriptions = {
  watchword_build_info: {
    type: 'gauge',
    labels: ['version', 'node'],
    help: 'Always 1. The labels have the versions of the server and of Node.js.',
  },
  watchword_http_request_duration_seconds: {
    type: 'histogram',
    labels: ['method', 'route', 'status'],
    help: 'Time from the arrival of a request to the end of its answer. route is the address without variable parts; none is an unknown address.',
  },
  watchword_request_errors_total: {
    type: 'counter',
    labels: ['error'],
    help: 'Requests that were answered with an error.',
  },
  watchword_request_errors_not_stored_total: {
    type: 'counter',
    labels: [],
    help: 'Errors of authenticated clients that are only in memory, because the server was busy.',
  },
  watchword_tokens_issued_total: {
    type: 'counter',
    labels: ['grant_type'],
    help: 'Access tokens issued since the start.',
  },
  watchword_id_tokens_issued_total: {
    type: 'counter',
    labels: ['algorithm', 'grant_type'],
    help: 'ID tokens issued since the start. implicit are those of the authorization endpoint.',
  },
  watchword_active_access_tokens: {
    type: 'gauge',
    labels: [],
    help: 'Access tokens that have not expired, counted at most once a minute. Revoked tokens of a grant are counted until the purge removes them.',
  },
  watchword_logins_total: {
    type: 'counter',
    labels: ['authenticator', 'outcome'],
    help: 'Logins by outcome. success: a session began. failure: wrong password, too many attempts, or rejected by the identity provider. busy: too many passwords waited. error: the module failed.',
  },
  watchword_password_hashings: {
    type: 'gauge',
    labels: ['state'],
    help: 'Passwords that are running or waiting, and limit, the greatest number that can wait.',
  },
  watchword_passwords_refused_total: {
    type: 'counter',
    labels: [],
    help: 'Passwords that were not hashed, because too many waited: of logins, of pages, and of clients with weak secrets.',
  },
  watchword_logout_tokens_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'Attempts to deliver a logout token: delivered, retried (there is another attempt), failed (there is none).',
  },
  watchword_mails_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'Attempts to send a mail: sent, retried (there is another attempt), failed (there is none).',
  },
  watchword_account_events_total: {
    type: 'counter',
    labels: ['event'],
    help: 'What people did with their accounts: reset_asked, address_asked, sign_up_asked (a mail was asked for), signed_up, invited (an account was made with an invitation), password_changed, address_changed, provider_linked, provider_unlinked, deleted.',
  },
  watchword_factors_presented_total: {
    type: 'counter',
    labels: ['kind', 'step', 'outcome'],
    help: 'Factors that were presented in logins. step: first_factor is a login by passkey alone. outcome: success, failure, limited (too many attempts).',
  },
  watchword_factor_events_total: {
    type: 'counter',
    labels: ['kind', 'event'],
    help: 'Factors that were added and removed.',
  },
  watchword_module_failures_total: {
    type: 'counter',
    labels: ['setting', 'failure'],
    help: 'Calls of an authentication or consent module that failed: exception, timeout, invalid_answer, or shutdown.',
  },
  watchword_registered_records: {
    type: 'gauge',
    labels: ['kind'],
    help: 'Registered clients and resource servers.',
  },
  watchword_signing_keys: {
    type: 'gauge',
    labels: ['algorithm', 'state'],
    help: 'Keys that sign JWTs: published, signing, retiring, retired, compromised.',
  },
  watchword_revocation_feed_waiting: {
    type: 'gauge',
    labels: [],
    help: 'Requests that wait at the revocation feed. Each takes up to 30 seconds in watchword_http_request_duration_seconds.',
  },
  watchword_configuration_cache_lookups_total: {
    type: 'counter',
    labels: ['result'],
    help: 'Lookups of clients and resource servers, by whether memory had the record.',
  },
  watchword_commit_batch_size: {
    type: 'histogram',
    labels: [],
    help: 'Writes that shared one durable commit.',
  },
  watchword_purged_rows_total: {
    type: 'counter',
    labels: ['kind'],
    help: 'Expired, revoked and deleted rows that the purge removed.',
  },
  watchword_purge_lag_seconds: {
    type: 'gauge',
    labels: [],
    help: 'Seconds since the oldest expired row should have been removed. A few minutes are usual.',
  },
  watchword_background_work_overdue: {
    type: 'gauge',
    labels: ['work'],
    help: '1 if a work was not done for twice its interval: purge, key-rotation (keys that seal forms), signing-keys, issued-counts. Every node reports the same.',
  },
  watchword_background_work_last_success_timestamp_seconds: {
    type: 'gauge',
    labels: ['work'],
    help: 'When a node did a work last without an error, in epoch seconds.',
  },
  watchword_configuration_drifted_records: {
    type: 'gauge',
    labels: ['configuration'],
    help: 'Records of a configuration that are not as it was applied; at least 1 after the database was restored.',
  },
  watchword_clients_with_expiring_secrets: {
    type: 'gauge',
    labels: ['state'],
    help: 'Clients whose last secret has expired, or expires within 30 days: expired, soon.',
  },
  watchword_database_size_bytes: {
    type: 'gauge',
    labels: [],
    help: 'Bytes of the database on the disk; of SQLite with its write-ahead log.',
  },
  watchword_database_free_bytes: {
    type: 'gauge',
    labels: [],
    help: 'Bytes that are free on the disk of the database. Only for SQLite.',
  },
  watchword_database_writable: {
    type: 'gauge',
    labels: [],
    help: '1 if a write could be made durable, as /readyz finds it. 0 if not, or not within a second.',
  },
  watchword_database_damaged: {
    type: 'gauge',
    labels: [],
    help: '1 if the check after the start found damage, otherwise 0. Only for SQLite.',
  },
  watchword_database_connections: {
    type: 'gauge',
    labels: ['pool', 'state'],
    help: 'Connections to PostgreSQL: busy, idle, and limit. The pool requests serves requests, other administration and background work.',
  },
  watchword_database_connection_waiting: {
    type: 'gauge',
    labels: ['pool'],
    help: 'Callers that wait for a connection to PostgreSQL.',
  },
  watchword_database_connection_timeouts_total: {
    type: 'counter',
    labels: ['pool'],
    help: 'Callers that got no connection to PostgreSQL in time.',
  },
  watchword_database_split_brain: {
    type: 'gauge',
    labels: [],
    help: '1 while no PostgreSQL server is used, because two accept writes, or the only one has an older timeline. Only for PostgreSQL.',
  },
  watchword_workers: {
    type: 'gauge',
    labels: [],
    help: 'Processes that can answer requests: 1, or the number of workers that run.',
  },
  watchword_worker_restarts_total: {
    type: 'counter',
    labels: [],
    help: 'Workers that were started in the place of others that had ended.',
  },
  watchword_trace_spans_total: {
    type: 'counter',
    labels: ['outcome'],
    help: 'Spans of traces: exported, failed (not accepted), dropped (too many waited).',
  },
  watchword_log_lines_dropped_total: {
    type: 'counter',
    labels: [],
    help: 'Log lines that were dropped, because their reader was too slow or they could not be written.',
  },
} as const satisfies Readonly<Record<string, MetricDescription>>;

export type MetricName = keyof typeof metricDescriptions;

/** What prom-client asks for to make the metric. */
export function described<Name extends MetricName>(name: Name) {
  const { help, labels } = metricDescriptions[name];
  return { name, help, labelNames: labels as (typeof metricDescriptions)[Name]['labels'] };
}
