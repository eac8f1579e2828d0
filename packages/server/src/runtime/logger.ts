import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

export interface LogSink {
  readonly stream: DestinationStream;
  /** Number of lines dropped because the reader was too slow, or because they could not be written. */
  dropped(): number;
  /** Resolves when all lines are written, or cannot be written. */
  flush(): Promise<void>;
}

/**
 * Writes JSON lines. As a safeguard, fields with the name of a credential are removed.
 *
 * @param worker number of the worker, in a server that has several
 */
export function createLogger(level: string, sink: LogSink, worker?: number): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid, ...(worker !== undefined && { worker }) },
      redact: {
        paths: ['authorization', 'password', 'secret', 'token', 'access_token', 'refresh_token', 'code'],
        remove: true,
      },
    },
    sink.stream,
  );
}
