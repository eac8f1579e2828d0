import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A span as OTLP has it in JSON. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** `''` for the first span of a trace. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly resource: Readonly<Record<string, string | number | boolean>>;
  /** 2 for a failure. */
  readonly status: number;
}

/** A receiver of traces: OTLP over HTTP, as JSON. */
export interface TraceReceiver extends AsyncDisposable {
  /** The value of `tracing.endpoint`. */
  readonly endpoint: string;
  /** The spans so far. */
  readonly spans: readonly ReceivedSpan[];
  /** The bodies of all requests so far. */
  text(): string;
  /** Resolves with the first span that matches, also if it came before. */
  span(matches: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
}

/** @param answer answers the requests; default: 200 */
export async function startTraceReceiver(
  answer: (response: ServerResponse) => void = (response) => response.end('{}'),
): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const news = new EventTarget();
  const server = createServer(async (request, response) => {
    const body = await text(request);
    if (request.url === '/v1/traces') {
      bodies.push(body);
      spans.push(...spansOf(JSON.parse(body)));
    }
    answer(response);
    news.dispatchEvent(new Event('spans'));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    text: () => bodies.join('\n'),
    async span(matches) {
      for (;;) {
        const found = spans.find(matches);
        if (found !== undefined) return found;
        await once(news, 'spans');
      }
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

interface Attribute {
  readonly key: string;
  readonly value: {
    stringValue?: string;
    intValue?: number | string;
    boolValue?: boolean;
    doubleValue?: number;
  };
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly SpanInBody[] }[];
  }[];
}

type SpanInBody = Pick<ReceivedSpan, 'traceId' | 'spanId' | 'name' | 'kind'> & {
  readonly parentSpanId?: string;
  readonly attributes?: readonly Attribute[];
  readonly links?: ReceivedSpan['links'];
  readonly status?: { readonly code?: number };
};

function spansOf({ resourceSpans }: Body): ReceivedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(
        ({ traceId, spanId, name, kind, parentSpanId = '', attributes = [], links = [], status }) => ({
          traceId,
          spanId,
          parentSpanId,
          name,
          kind,
          attributes: valuesOf(attributes),
          links,
          resource: valuesOf(resource.attributes),
          status: status?.code ?? 0,
        }),
      ),
    ),
  );
}

function valuesOf(attributes: readonly Attribute[]): Record<string, string | number | boolean> {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );
}
