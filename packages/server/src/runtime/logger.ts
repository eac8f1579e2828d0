import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

export interface LogSink {
  readonly stream: DestinationStream;
  /** Lines dropped because nobody read them in time, or because they could not be written. */
  dropped(): number;
  /** Resolves when what was logged is written, or cannot be. */
  flush(): Promise<void>;
}

/** JSON lines. Whatever is logged under a name that holds a credential is removed, should it ever be. */
export function createLogger(level: string, sink: LogSink): Logger {
  return pino(
    {
      level,
      base: { pid: process.pid },
      redact: {
        paths: ['authorization', 'password', 'secret', 'token', 'access_token', 'refresh_token', 'code'],
        remove: true,
      },
    },
    sink.stream,
  );
}
