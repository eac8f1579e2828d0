import {
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OAuthError } from '@watchword/protocol';

export interface SpanStart {
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  readonly links?: Link[];
}

/** Begins spans, and knows to which one the current work belongs. */
export class Spans {
  readonly #tracer: Tracer;
  readonly #contexts: AsyncLocalStorageContextManager;

  constructor(tracer: Tracer, contexts: AsyncLocalStorageContextManager) {
    this.#tracer = tracer;
    this.#contexts = contexts;
  }

  /** The context of the current work. */
  context(): Context {
    return this.#contexts.active();
  }

  /** The span of the current work, if it is recorded and has not ended. */
  recorded(): Span | undefined {
    const span = trace.getSpan(this.#contexts.active());
    return span?.isRecording() ? span : undefined;
  }

  start(name: string, options: SpanStart, parent: Context): Span {
    return this.#tracer.startSpan(name, options, parent);
  }

  within<Result>(context: Context, work: () => Result): Result {
    return this.#contexts.with(context, work);
  }

  /** Runs work as a span, which ends with the work. @param note adds what the result shows */
  run<Result>(span: Span, work: () => Result, note?: (result: Awaited<Result>) => void): Result {
    const end = (result: Awaited<Result>) => {
      note?.(result);
      span.end();
      return result;
    };
    try {
      const result = this.#contexts.with(trace.setSpan(this.#contexts.active(), span), work);
      if (!(result instanceof Promise)) return end(result as Awaited<Result>) as Result;
      return result.then(end, (error: unknown) => {
        endFailed(span, error);
        throw error;
      }) as Result;
    } catch (error) {
      endFailed(span, error);
      throw error;
    }
  }
}

/** The message of the error is left out, because it can have a value of the request. A refusal is no failure. */
function endFailed(span: Span, error: unknown): void {
  span.setAttribute('error.type', errorTypeOf(error));
  if (!(error instanceof OAuthError)) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

function errorTypeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return 'kind' in error && typeof error.kind === 'string' ? error.kind : error.name;
}
