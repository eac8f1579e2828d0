import { write } from 'node:fs';
import type { Service } from './compose.ts';
import type { Logger, LogSink } from './runtime/log/logger.ts';

// Not an import, which would load every part of it (docs/adr/0083).
const { inspect } = process.getBuiltinModule('node:util');

/** A server, or the main process of one, as it ends. */
export interface Ending {
  readonly logger: Logger;
  /** Answers the current requests, and closes everything. `false` if a part of it did not end in order. */
  close(lingerSeconds: number): Promise<unknown>;
  /** Ends what would go on without this process. */
  abandon?(): Promise<void>;
}

export interface EndingOptions {
  /** The request to end the process. */
  readonly reason: string;
  /** Resolves with the next such request. */
  readonly nextRequest: () => Promise<string>;
  /** Seconds, like the deadline. */
  readonly linger: number;
  readonly deadline: number;
}

/**
 * Ends the server in order, and then the process with exit 0. A second request, or the deadline, ends it at once with exit 1.
 */
export async function endInOrder(
  server: Ending,
  sink: LogSink,
  { reason, nextRequest, linger, deadline }: EndingOptions,
): Promise<never> {
  const { logger } = server;
  logger.info({ reason }, 'shutting down: finishing the current requests');
  const giveUp = async (reason: string) => {
    logger.error(
      { reason },
      'ended before the shutdown was complete: requests or background work were interrupted',
    );
    await server.abandon?.();
    await flushOrKill(sink);
    process.exit(1);
  };
  const timer = setTimeout(() => giveUp(`the deadline of ${deadline} s passed`), deadline * 1000);
  nextRequest().then((again) => giveUp(`a second request to end: ${again}`));
  const isInOrder = (await server.close(Math.min(linger, deadline / 2))) !== false;
  clearTimeout(timer);
  if (isInOrder) logger.info('shut down');
  await flushOrKill(sink);
  // The process does not wait for timers and connections that a module has left open.
  process.exit(isInOrder ? 0 : 1);
}

/**
 * After an uncaught error the state of the process is unknown. The process logs the error and ends with exit 1, so that its
 * supervisor starts a new one. The port closes at once. Acknowledged writes are durable.
 */
export function endAtUncaughtErrors(
  { closePort, logger }: Pick<Service, 'closePort' | 'logger'>,
  sink: LogSink,
): void {
  let isEnding = false;
  process.on('uncaughtException', async (error) => {
    if (isEnding) return;
    isEnding = true;
    closePort();
    logger.fatal({ err: error }, 'the process ends because of an unexpected error');
    await flushOrKill(sink, `${inspect(error)}\n`);
    process.exit(1);
  });
}

/**
 * Writes the rest of the log, and a last text to standard error. If the reader stalls, the process cannot end in order: a
 * thread waits in the write, and an exit would wait for that thread. So the process is killed.
 */
export async function flushOrKill(sink: LogSink, lastWords = ''): Promise<void> {
  const killer = setTimeout(() => process.kill(process.pid, 'SIGKILL'), logPatience);
  await Promise.all([sink.flush(), new Promise((resolve) => write(2, lastWords, resolve))]);
  clearTimeout(killer);
}

// Milliseconds to wait for the reader of the log at the end.
const logPatience = 1000;
