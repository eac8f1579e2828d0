import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

// Lines are gathered until they fill a block or this time has passed: handing each to the operating system
// by itself cost a third of the throughput.
const blockBytes = 16 * 1024;
const flushInterval = 100;
// What may wait to be written while the reader of the log is slow; more is dropped and counted.
const maxWaitingBytes = 1024 * 1024;

export interface LogSink {
  /** `flushSync` is what the logger calls after a line that says why the process ends. */
  readonly stream: DestinationStream & { flushSync?(): void };
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
  const destination = pino.destination({
    fd: 1,
    sync: false,
    minLength: blockBytes,
    maxWrite: 4 * blockBytes,
    maxLength: maxWaitingBytes,
  });
  // The destination measures what it holds at each write, which copies it: it gets whole blocks.
  let block = '';
  const handOver = () => {
    const lines = block;
    block = '';
    if (lines !== '') destination.write(lines);
  };
  let dropped = 0;
  destination.on('drop', (lines: string) => {
    dropped += lines.split('\n').length - 1;
  });
  destination.on('error', () => {
    dropped += 1;
  });
  setInterval(() => {
    handOver();
    destination.flush();
  }, flushInterval).unref();
  // Before the destination writes its rest at the end of the process.
  for (const event of ['beforeExit', 'exit']) process.prependListener(event, handOver);
  return {
    stream: {
      write(line) {
        block += line;
        if (block.length >= blockBytes) handOver();
      },
      flushSync() {
        handOver();
        destination.flushSync();
      },
    },
    dropped: () => dropped,
    flush() {
      handOver();
      return new Promise((resolve) => destination.flush(() => resolve()));
    },
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
