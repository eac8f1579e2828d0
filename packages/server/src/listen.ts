import { lookup } from 'node:dns/promises';
import type { Configuration } from './config/settings.ts';
import type { Ports } from './http/ports.ts';

/**
 * Opens the port at every address of `localhost`, or at the first address of another host.
 *
 * @returns the port that is open
 * @throws ListenError
 */
export async function listen(ports: Ports, { host, port }: Configuration): Promise<number> {
  try {
    return await ports.open(await addressesOf(host), port);
  } catch (error) {
    throw new ListenError(host, port, error);
  }
}

async function addressesOf(host: string): Promise<string[]> {
  if (host !== 'localhost') return [host];
  const found = await lookup(host, { all: true });
  return [...new Set(found.map(({ address }) => address))];
}

/** The port cannot be opened. The message names the cause and the action. */
export class ListenError extends Error {
  override readonly name = 'ListenError';

  constructor(host: string, port: number, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    super(`Cannot listen on ${host} port ${port}: ${advice[code] ?? String(cause)}`, { cause });
  }
}

const advice: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process uses the port. End that process, or choose another port with --port.',
  EACCES: 'this user is not permitted to open the port. Choose a port above 1023 with --port.',
  EADDRNOTAVAIL: 'this machine does not have the address. Correct --host.',
  ENOTFOUND: 'the host name cannot be resolved. Correct --host.',
};
