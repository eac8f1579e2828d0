import {
  defaultTextMapSetter,
  SpanKind,
  SpanStatusCode,
  type TextMapPropagator,
  trace,
} from '@opentelemetry/api';
import type { OutboundFetch } from '@watchword/protocol';
import type { Spans } from './spans.ts';

/**
 * The same fetch, whose requests are spans and carry the context of their trace. A request of background work begins a trace.
 * Path and query of the URL are left out, because they can have secrets.
 */
export function tracedFetch(
  fetch: OutboundFetch,
  spans: Spans,
  propagator: TextMapPropagator,
): OutboundFetch {
  return async (url, request = {}) => {
    const method = request.method ?? (request.body === undefined ? 'GET' : 'POST');
    const attributes = { 'http.request.method': method, ...serverOf(url) };
    const parent = spans.context();
    const span = spans.start(method, { kind: SpanKind.CLIENT, attributes }, parent);
    const headers: Record<string, string> = { ...request.headers };
    propagator.inject(trace.setSpan(parent, span), headers, defaultTextMapSetter);
    return spans.run(
      span,
      () => fetch(url, { ...request, headers }),
      ({ status }) => {
        span.setAttribute('http.response.status_code', status);
        if (status < 400) return;
        span.setAttribute('error.type', String(status));
        span.setStatus({ code: SpanStatusCode.ERROR });
      },
    );
  };
}

function serverOf(given: string | URL) {
  const url = URL.parse(String(given));
  if (url === null) return {};
  const { hostname, port, protocol } = url;
  return {
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}
