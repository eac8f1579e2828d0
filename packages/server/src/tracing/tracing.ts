import type { OutboundFetch, Tracer } from '@watchword/protocol';
import type { BatchSpans } from '@watchword/store-sql';
import type { RequestTracing } from '../runtime/request-tracing.ts';

/** The traces of a process. */
export interface Tracing {
  readonly requests: RequestTracing;
  readonly tracer: Tracer;
  readonly batches: BatchSpans;
  /** The same fetch, whose requests are spans and carry the context of their trace (W3C Trace Context §3). */
  outbound(fetch: OutboundFetch): OutboundFetch;
  /** Spans since the start, by what became of them. */
  spans(): SpanCounts;
  /** Sends what waits. @param patience milliseconds after which the rest is given up */
  close(patience: number): Promise<void>;
}

export interface SpanCounts {
  /** Accepted by the receiver. */
  readonly exported: number;
  /** Given up after the receiver did not answer, or rejected them. */
  readonly failed: number;
  /** Not kept, because too many waited. */
  readonly dropped: number;
}

/** The counts of a process without traces. */
export const noSpans: SpanCounts = { exported: 0, failed: 0, dropped: 0 };

export interface TracingOptions {
  /** URL of a receiver of OTLP over HTTP, without `/v1/traces`. */
  readonly endpoint: string;
  /** Percentage of the traces that begin here of which the spans are sent. */
  readonly ratio: number;
  readonly serviceName: string;
  readonly version: string;
  /** Number of the worker, in a server that has several. */
  readonly worker: number | undefined;
  /** Addresses and ranges of callers whose traces are continued. */
  readonly trustedCallers: readonly string[];
  /** The name of the database system, by the semantic conventions of OpenTelemetry. */
  readonly databaseSystem: 'sqlite' | 'postgresql';
  /** Called with why spans cannot be sent, and with `undefined` when they can again. */
  readonly onProblem: (problem: string | undefined) => void;
}
