import type { AddressInfo } from 'node:net';
import type { Service } from './compose.ts';
import type { Configuration } from './config/settings.ts';

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
