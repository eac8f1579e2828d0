import { BatchSpanProcessor, type SpanExporter, type SpanProcessor } from '@opentelemetry/sdk-trace';
import type { SpanCounts } from './tracing.ts';

type ReadableSpan = Parameters<SpanProcessor['onEnd']>[0];

// Spans of which a process keeps at most a few megabytes while the receiver does not answer.
const capacity = 4096;
const batchSize = 512;
// Milliseconds.
const sendInterval = 1000;
const success = 0;

/**
 * Spans that wait to be sent. Requests never wait for it: a span that finds no room is dropped and counted. The processor of the
 * library has a limit too, but nobody can read what it drops.
 */
export class SpanQueue implements SpanProcessor {
  readonly #batches: BatchSpanProcessor;
  #waiting = 0;
  #counts = { exported: 0, failed: 0, dropped: 0 };

  /** @param onProblem called with why spans cannot be sent, and with `undefined` when they can again */
  constructor(exporter: SpanExporter, onProblem: (problem: string | undefined) => void) {
    let hasProblem = false;
    const counted: SpanExporter = {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          this.#waiting -= spans.length;
          const isSent = result.code === success;
          this.#counts[isSent ? 'exported' : 'failed'] += spans.length;
          if (isSent === hasProblem) onProblem(isSent ? undefined : problemOf(result.error));
          hasProblem = !isSent;
          done(result);
        }),
      shutdown: () => exporter.shutdown(),
    };
    this.#batches = new BatchSpanProcessor({
      exporter: counted,
      maxQueueSize: capacity,
      maxExportBatchSize: batchSize,
      scheduledDelayMillis: sendInterval,
    });
  }

  counts(): SpanCounts {
    return this.#counts;
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#waiting >= capacity) {
      this.#counts.dropped += 1;
      return;
    }
    this.#waiting += 1;
    this.#batches.onEnd(span);
  }

  forceFlush(): Promise<void> {
    return this.#batches.forceFlush();
  }

  shutdown(): Promise<void> {
    return this.#batches.shutdown();
  }
}

/** The body of the answer is left out: the operator of another server wrote it. */
function problemOf(error: (Error & { readonly code?: unknown }) | undefined): string {
  const { code, message = 'no reason is known' } = error ?? {};
  return code === undefined || message.includes(String(code)) ? message : `${code} ${message}`;
}
