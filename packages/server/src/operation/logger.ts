import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

// Lines are gathered until they fill a block or this time has passed: handing each to the operating system
// by itself cost a third of the throughput.
const blockBytes = 16 * 1024;
const flushInterval = 100;
// What may wait to be written while the reader of the log is slow; more is dropped and counted.
const maxWaitingBytes = 1024 * 1024;

export interface LogSink {
  readonly stream: DestinationStream;
  /** Lines dropped because nobody read them in time. */
  dropped(): number;
  /** Resolves when what was logged is written, or cannot be. */
  flush(): Promise<void>;
}

/**
 * Standard output, written without ever blocking a request: a reader that stalls or goes away costs log
 * lines, not service.
 */
export function standardOutput(): LogSink {
  const stream = pino.destination({
    fd: 1,
    sync: false,
    minLength: blockBytes,
    maxWrite: 4 * blockBytes,
    maxLength: maxWaitingBytes,
  });
  setInterval(() => stream.flush(), flushInterval).unref();
  let dropped = 0;
  stream.on('drop', () => {
    dropped += 1;
  });
  stream.on('error', () => {
    dropped += 1;
  });
  return {
    stream,
    dropped: () => dropped,
    flush: () => new Promise((resolve) => stream.flush(() => resolve())),
  };
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
