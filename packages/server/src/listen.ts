import { lookup } from 'node:dns/promises';

/** What can open a port at several addresses. */
export interface Openable {
  open(addresses: readonly string[], port: number): Promise<number>;
}

/** Where to listen. */
export interface ListenAddress {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** What the flags of both begin with. */
  readonly flags: '--' | '--metrics-';
}

/**
 * Opens the port at every address of `localhost`, or at the first address of another host.
 *
 * @returns the port that is open
 * @throws ListenError
 */
export async function listen(ports: Openable, address: ListenAddress): Promise<number> {
  try {
    return await ports.open(await addressesOf(address.host), address.port);
  } catch (error) {
    throw new ListenError(address, error);
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

  constructor({ host, port, flags }: ListenAddress, cause: unknown) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const reason = adviceOf(flags)[code] ?? String(cause);
    super(`Cannot listen on ${host} port ${port}: ${reason}`, { cause });
  }
}

function adviceOf(flags: string): Readonly<Record<string, string>> {
  return {
    EADDRINUSE: `another process uses the port. End that process, or choose another port with ${flags}port.`,
    EACCES: `this user is not permitted to open the port. Choose a port above 1023 with ${flags}port.`,
    EADDRNOTAVAIL: `this machine does not have the address. Correct ${flags}host.`,
    ENOTFOUND: `the host name cannot be resolved. Correct ${flags}host.`,
  };
}
