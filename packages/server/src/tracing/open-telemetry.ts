import { randomUUID } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type TracerProvider as ApiTracerProvider, context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { batchSpans } from './batch-spans.ts';
import { tracedFetch } from './outbound-spans.ts';
import { requestTraces } from './request-traces.ts';
import { SpanQueue } from './span-queue.ts';
import { Spans } from './spans.ts';
import type { Tracing, TracingOptions } from './tracing.ts';

/** Sends spans by OTLP over HTTP, as JSON. The exporter reads the standard variables of its headers and compression. */
export function openTelemetry(options: TracingOptions): Tracing {
  const connections = new ExportConnections();
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint}/v1/traces`,
    timeoutMillis: exportTimeout,
    httpAgentOptions: connections.agent,
  });
  const queue = new SpanQueue(exporter, options.onProblem);
  const provider = new TracerProvider({
    resource: resourceOf(options),
    // By the trace id, which is random where a trace begins. That of a caller who is not trusted is not used.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.ratio) }),
    spanProcessors: [queue],
  });
  const contexts = new AsyncLocalStorageContextManager();
  contexts.enable();
  const propagator = new W3CTraceContextPropagator();
  const spans = new Spans(provider.getTracer('watchword', options.version), contexts);
  const forget = offerToModules(provider, contexts, propagator);
  return {
    requests: requestTraces(spans, propagator, options.trustedCallers),
    tracer: {
      step(name, work) {
        if (spans.recorded() === undefined) return work();
        return spans.run(spans.start(name, {}, spans.context()), work);
      },
    },
    batches: batchSpans(spans, options.databaseSystem),
    outbound: (fetch) => tracedFetch(fetch, spans, propagator),
    spans: () => queue.counts(),
    async close(patience) {
      const isOver = Promise.withResolvers<void>();
      const timer = setTimeout(isOver.resolve, patience);
      await Promise.race([isOver.promise, provider.shutdown().catch(() => {})]);
      clearTimeout(timer);
      connections.giveUp();
      forget();
      contexts.disable();
    },
  };
}

// Milliseconds, repetitions included.
const exportTimeout = 10_000;

function resourceOf({ serviceName, version, worker }: TracingOptions): Resource {
  const own = resourceFromAttributes({
    'service.name': serviceName,
    'service.version': version,
    'service.instance.id': randomUUID(),
    'process.pid': process.pid,
    ...(worker !== undefined && { 'watchword.worker': worker }),
  });
  // OTEL_RESOURCE_ATTRIBUTES
  return defaultResource()
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(own);
}

/** Spans that modules make by the API of OpenTelemetry are a part of the traces, unless the operator loaded another SDK. */
function offerToModules(
  provider: ApiTracerProvider,
  contexts: AsyncLocalStorageContextManager,
  propagator: W3CTraceContextPropagator,
): () => void {
  const undo = [
    trace.setGlobalTracerProvider(provider) && (() => trace.disable()),
    context.setGlobalContextManager(contexts) && (() => context.disable()),
    propagation.setGlobalPropagator(propagator) && (() => propagation.disable()),
  ];
  return () => {
    for (const each of undo) if (each !== false) each();
  };
}

/** Connections to the receiver, which the exporter of the library cannot end while it waits for an answer. */
class ExportConnections {
  #agent: HttpAgent | undefined;

  /** @param protocol of the receiver, such as `https:` */
  readonly agent = (protocol: string): HttpAgent => {
    this.#agent ??=
      protocol === 'https:' ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
    return this.#agent;
  };

  /** Ends requests that have no answer yet. The error has no code of the network, so that they are not repeated. */
  giveUp(): void {
    const sockets = Object.values(this.#agent?.sockets ?? {});
    for (const socket of sockets.flatMap((each) => each ?? [])) {
      socket.destroy(new Error('the server shut down before the receiver answered'));
    }
    this.#agent?.destroy();
  }
}
