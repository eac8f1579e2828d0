import { ROOT_CONTEXT, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { BatchSpans } from '@watchword/store-sql';
import type { Spans } from './spans.ts';

/**
 * Spans of work that the database does for several requests together. Such a span is in the trace of the first of them that is
 * recorded. The others are linked with it, in both directions.
 *
 * @param system name of the database system
 */
export function batchSpans(spans: Spans, system: string): BatchSpans {
  const members = new WeakMap<object, Span>();
  return {
    join(operation) {
      const span = spans.recorded();
      if (span !== undefined) members.set(operation, span);
    },
    run(name, operations, work) {
      const found = new Set(operations.flatMap((operation) => members.get(operation) ?? []));
      const [first, ...others] = found;
      if (first === undefined) return work();
      const attributes = {
        'db.system.name': system,
        'db.operation.name': name,
        'db.operation.batch.size': operations.length,
      };
      const links = others.map((span) => ({ context: span.spanContext() }));
      const parent = trace.setSpan(ROOT_CONTEXT, first);
      const batch = spans.start(`${name} ${system}`, { kind: SpanKind.CLIENT, attributes, links }, parent);
      for (const other of others) other.addLink({ context: batch.spanContext() });
      return spans.within(parent, () => spans.run(batch, work));
    },
  };
}
