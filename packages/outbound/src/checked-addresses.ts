import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress } from './public-address.ts';

/** Finds all addresses of a host name; an error with a `code` when there are none. */
export type Resolve = (hostname: string) => Promise<readonly LookupAddress[]>;

/** Resolves as the operating system does, with its hosts file. */
export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/**
 * The addresses of a host. All of them are public unless `permitsPrivate`: one private address among public ones is an
 * error too, because the system chooses which of them it connects to.
 *
 * @throws OutboundError `unresolved-host`, `private-address`
 */
export async function checkedAddresses(
  { hostname }: URL,
  permitsPrivate: boolean,
  resolve: Resolve,
): Promise<readonly LookupAddress[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(host);
  const addresses = family === 0 ? await resolved(host, resolve) : [{ address: host, family }];
  const inside = addresses.find(({ address }) => !isPublicAddress(address));
  if (inside === undefined || permitsPrivate) return addresses;
  throw new OutboundError(
    'private-address',
    `${host} is at ${inside.address}, which is not an address of the public internet; allowPrivateAddresses permits such addresses`,
  );
}

async function resolved(host: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  try {
    const addresses = await resolve(host);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    const { code = 'an unknown reason' } = error as NodeJS.ErrnoException;
    throw new OutboundError('unresolved-host', `the name ${host} cannot be resolved: ${code}`);
  }
  throw new OutboundError('unresolved-host', `the name ${host} has no address`);
}
