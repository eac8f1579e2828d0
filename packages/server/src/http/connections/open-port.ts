/** Listens at one address, and closes again. */
export interface Listening {
  /** @returns the open port */
  listen(address: string, port: number): Promise<number>;
  /** Closes the port at all addresses. */
  close(): Promise<void>;
}

// A port that is free at one address of a host can be in use at the other.
const attempts = 10;

/**
 * Opens one port at every given address that this machine has.
 *
 * @param addresses of one host
 * @param port 0 for any port that is free at all addresses
 * @returns the open port
 * @throws the error of `node:net` if the port cannot be opened; then it is closed at all addresses
 */
export async function openPort(
  listening: Listening,
  addresses: readonly string[],
  port: number,
): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openAt(listening, addresses, port);
    } catch (error) {
      await listening.close();
      if (port !== 0 || attempt === attempts || codeOf(error) !== 'EADDRINUSE') throw error;
    }
  }
}

async function openAt(listening: Listening, addresses: readonly string[], wanted: number): Promise<number> {
  let opened: number | undefined;
  let missing: unknown;
  for (const address of addresses) {
    try {
      opened = await listening.listen(address, opened ?? wanted);
    } catch (error) {
      // A machine without IPv6 can still name `::1` as an address of `localhost`.
      if (!isMissingAddress(error)) throw error;
      missing ??= error;
    }
  }
  if (opened === undefined) throw missing;
  return opened;
}

function isMissingAddress(error: unknown): boolean {
  return ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
