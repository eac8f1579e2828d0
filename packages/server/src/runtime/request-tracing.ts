import type { IncomingHttpHeaders } from 'node:http';

/** Names the span of a request in its trace, as hexadecimal digits (W3C Trace Context §3.2.2). */
export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
}

/** How a request ended. */
export interface TracedAnswer {
  readonly method: string;
  /** The pattern of the address; `undefined` for an unknown address. */
  readonly route: string | undefined;
  /** `undefined` if the connection ended before the answer did. */
  readonly status: number | undefined;
  /** The stable name of the error in the answer; `undefined` if the answer is not an error. */
  readonly error: string | undefined;
}

/** What a trace needs of a request. */
export interface TracedMessage {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** The part of one request in its trace. */
export interface RequestTrace {
  /** `undefined` if the trace is not recorded, and no caller can know it. */
  readonly ids: TraceIds | undefined;
  /** Whether the spans of the trace are sent. */
  readonly isRecorded: boolean;
  /** Runs work of the request: the spans that begin meanwhile, also later by its promises, are below the span of the request. */
  run<Result>(work: () => Result): Result;
  end(answer: TracedAnswer): void;
}

/** Begins the traces of requests. */
export interface RequestTracing {
  /** @param id of the request in the log */
  begin(message: TracedMessage, id: string): RequestTrace;
  /** The ids of the request that is worked on now, for lines of the log. */
  current(): TraceIds | undefined;
}
