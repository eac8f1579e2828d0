import { hostname } from 'node:os';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { TraceIds } from '../request-tracing.ts';

export type { Logger } from 'pino';

export interface LogSink {
  readonly stream: DestinationStream;
  /** Number of lines dropped because the reader was too slow, or because they could not be written. */
  dropped(): number;
  /** Resolves when all lines are written, or cannot be written. */
  flush(): Promise<void>;
}

/** What each line names of the process that wrote it. */
export interface LoggedProcess {
  /** Default: the host name of the machine. */
  readonly node?: string | undefined;
  readonly version: string;
  /** Number of the worker, in a server that has several. */
  readonly worker?: number | undefined;
}

/**
 * Writes JSON lines. As a safeguard, fields with the name of a credential are removed.
 *
 * @param current the trace of the request that is worked on
 */
export function createLogger(
  level: string,
  sink: LogSink,
  { node = hostname(), version, worker }: LoggedProcess,
  current?: () => TraceIds | undefined,
): Logger {
  return pino(
    {
      level,
      ...(current !== undefined && { mixin: () => namesOf(current()) }),
      serializers: { err: serializedError },
      base: { pid: process.pid, node, version, ...(worker !== undefined && { worker }) },
      redact: {
        paths: ['authorization', 'password', 'secret', 'token', 'access_token', 'refresh_token', 'code'],
        remove: true,
      },
    },
    sink.stream,
  );
}

function namesOf(ids: TraceIds | undefined): object {
  return ids === undefined ? {} : { trace_id: ids.traceId, span_id: ids.spanId };
}

/** As pino does it, but the message does not repeat what it already has of a cause. */
function serializedError(error: Error): object {
  const serialized = pino.stdSerializers.err(error);
  return error instanceof Error ? { ...serialized, message: messageWithCauses(error) } : serialized;
}

function messageWithCauses(error: Error, known: readonly unknown[] = []): string {
  const { cause, message } = error;
  if (!(cause instanceof Error) || known.includes(cause)) return message;
  const reason = messageWithCauses(cause, [...known, error]);
  return message.includes(reason) ? message : `${message}: ${reason}`;
}
