import { write } from 'node:fs';
import { inspect } from 'node:util';
import type { Service } from './compose.ts';
import type { LogSink } from './runtime/logger.ts';

export interface EndingOptions {
  /** What asks the process to end. */
  readonly reason: string;
  /** Resolves with the next thing that asks so. */
  readonly nextRequest: () => Promise<string>;
  /** Seconds, like the deadline. */
  readonly linger: number;
  readonly deadline: number;
}

/** Ends the service in order, and the process: exit 0. A second request to end, or the deadline, ends the process at once: exit 1. */
export async function endInOrder(
  service: Service,
  sink: LogSink,
  { reason, nextRequest, linger, deadline }: EndingOptions,
): Promise<never> {
  const { logger } = service;
  logger.info({ reason }, 'shutting down: finishing what is under way');
  const giveUp = async (reason: string) => {
    logger.error({ reason }, 'ended before everything under way was finished');
    await flushOrKill(sink);
    process.exit(1);
  };
  const timer = setTimeout(() => giveUp(`the deadline of ${deadline} s passed`), deadline * 1000);
  nextRequest().then((again) => giveUp(`asked a second time: ${again}`));
  await service.close(Math.min(linger, deadline / 2));
  clearTimeout(timer);
  logger.info('shut down');
  await flushOrKill(sink);
  // Timers and connections that a module has left are not waited for.
  process.exit(0);
}

/**
 * After an error that nobody caught, the state of the process is unknown. It says why, and ends with exit 1, so that
 * whoever watches it starts another. The port closes at once; what was acknowledged is durable.
 */
export function endAtUncaughtErrors({ closePort, logger }: Service, sink: LogSink): void {
  let isEnding = false;
  process.on('uncaughtException', async (error) => {
    if (isEnding) return;
    isEnding = true;
    closePort();
    logger.fatal({ err: error }, 'the process ends: this was not foreseen');
    await flushOrKill(sink, `${inspect(error)}\n`);
    process.exit(1);
  });
}

/**
 * Writes the rest of the log, and the last words on standard error. Where nobody reads them the process cannot end in
 * order: a thread waits in the write, and an exit would wait for that thread.
 */
export async function flushOrKill(sink: LogSink, lastWords = ''): Promise<void> {
  const killer = setTimeout(() => process.kill(process.pid, 'SIGKILL'), logPatience);
  await Promise.all([sink.flush(), new Promise((resolve) => write(2, lastWords, resolve))]);
  clearTimeout(killer);
}

// Milliseconds that the reader of the log is given at the end.
const logPatience = 1000;
