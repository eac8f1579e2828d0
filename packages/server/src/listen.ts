import type { AddressInfo } from 'node:net';
import type { Service } from './compose.ts';
import type { Configuration } from './config/settings.ts';
import { endRequests } from './operation/end-requests.ts';
import type { LogSink } from './operation/logger.ts';

/** Opens the port. Resolves with the port that is open; rejects with advice when it cannot be. */
export async function listen(service: Service, { host, port }: Configuration): Promise<number> {
  try {
    await service.app.listen({ host, port });
  } catch (error) {
    throw new ListenError(host, port, error);
  }
  const address = service.app.server.address() as AddressInfo;
  service.listensOn(address.port);
  await service.bootstrap();
  return address.port;
}

/** The port cannot be opened. Its message tells an operator what to do. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(host: string, port: number, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    super(`Cannot listen on ${host} port ${port}: ${advice[code] ?? String(cause)}`, { cause });
  }
}

const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process does. End it, or choose another port with --port.',
  EACCES: 'this user may not. Choose a port above 1023 with --port.',
  EADDRNOTAVAIL: 'this machine has no such address. Correct --host.',
  ENOTFOUND: 'the name is not known. Correct --host.',
};

/**
 * Resolves once the process was asked to end and the service has ended in order. A second request to end,
 * or the deadline, ends it at once: exit 1.
 */
export async function runUntilSignal(
  service: Service,
  sink: LogSink,
  deadlineSeconds: number,
): Promise<void> {
  const nextRequest = endRequests();
  const request = await nextRequest();
  const { logger } = service;
  logger.info({ reason: request }, 'shutting down: finishing what is under way');
  const giveUp = async (reason: string) => {
    logger.error({ reason }, 'ended before everything under way was finished');
    await flushOrKill(sink);
    process.exit(1);
  };
  const deadline = setTimeout(
    () => giveUp(`the deadline of ${deadlineSeconds} s passed`),
    deadlineSeconds * 1000,
  );
  nextRequest().then((again) => giveUp(`asked a second time: ${again}`));
  await service.close();
  clearTimeout(deadline);
  logger.info('shut down');
  await flushOrKill(sink);
}

/**
 * Writes the rest of the log. Where nobody reads it the process cannot end in order: a thread waits in the
 * write, and an exit would wait for that thread.
 */
async function flushOrKill(sink: LogSink): Promise<void> {
  const killer = setTimeout(() => process.kill(process.pid, 'SIGKILL'), logPatience);
  await sink.flush();
  clearTimeout(killer);
}

// Milliseconds that the reader of the log is given at the end.
const logPatience = 1000;
