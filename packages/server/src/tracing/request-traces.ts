import proxyAddress from '@fastify/proxy-addr';
import {
  type Context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api';
import type {
  RequestTrace,
  RequestTracing,
  TracedAnswer,
  TracedMessage,
  TraceIds,
} from '../runtime/request-tracing.ts';
import type { Spans } from './spans.ts';

/**
 * Traces of requests. The context that a request brings (W3C Trace Context) is continued if its connection comes from a trusted
 * address. From any other, a trace begins here and is linked to the caller's, so that nobody outside decides what is recorded.
 *
 * @param trustedCallers addresses and ranges
 */
export function requestTraces(
  spans: Spans,
  propagator: TextMapPropagator,
  trustedCallers: readonly string[],
): RequestTracing {
  const isTrusted = proxyAddress.compile([...trustedCallers]);
  return {
    begin(message, id) {
      const given = contextOf(message, propagator);
      const isContinued = given !== undefined && isTrusted(message.socket.remoteAddress ?? '', 0);
      const parent = isContinued ? given : ROOT_CONTEXT;
      const options = { kind: SpanKind.SERVER, attributes: { 'watchword.request.id': id } };
      const span = spans.start(message.method, options, parent);
      const linked = isContinued ? undefined : given && trace.getSpanContext(given);
      if (linked !== undefined && span.isRecording()) {
        const { traceId, spanId, traceFlags } = linked;
        span.addLink({ context: { traceId, spanId, traceFlags, isRemote: true } });
      }
      return new TracedRequest(span, trace.setSpan(parent, span), isContinued, spans);
    },
    current() {
      const span = spans.recorded();
      return span && idsOf(span);
    },
  };
}

/** `undefined` if the request has no valid `traceparent`. */
function contextOf({ headers }: TracedMessage, propagator: TextMapPropagator): Context | undefined {
  if (headers.traceparent === undefined) return undefined;
  const context = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
  return trace.getSpanContext(context) === undefined ? undefined : context;
}

class TracedRequest implements RequestTrace {
  readonly isRecorded: boolean;
  readonly ids: TraceIds | undefined;
  readonly #span: Span;
  readonly #context: Context;
  readonly #spans: Spans;

  constructor(span: Span, context: Context, isContinued: boolean, spans: Spans) {
    this.#span = span;
    this.#context = context;
    this.#spans = spans;
    this.isRecorded = span.isRecording();
    this.ids = this.isRecorded || isContinued ? idsOf(span) : undefined;
  }

  run<Result>(work: () => Result): Result {
    return this.#spans.within(this.#context, work);
  }

  end({ method, route, status, error }: TracedAnswer): void {
    const span = this.#span;
    if (!this.isRecorded) return;
    span.updateName(route === undefined ? method : `${method} ${route}`);
    span.setAttribute('http.request.method', method);
    // The path itself is left out: it can have a token.
    if (route !== undefined) span.setAttribute('http.route', route);
    if (status !== undefined) span.setAttribute('http.response.status_code', status);
    const errorType = status === undefined ? 'connection_closed' : error;
    if (errorType !== undefined) span.setAttribute('error.type', errorType);
    if (status === undefined || status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  }
}

function idsOf(span: Span): TraceIds {
  const { traceId, spanId } = span.spanContext();
  return { traceId, spanId };
}
