import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { FetchFault } from './fetch-fault.ts';
import { isPublicAddress } from './public-address.ts';

export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

export const systemResolve: Resolve = (hostname) => lookup(hostname, { all: true });

/** The addresses of a host, all of them of the public internet unless others are allowed. @throws FetchFault */
export async function checkedAddresses(
  { hostname }: URL,
  allowPrivateAddresses: boolean,
  resolve: Resolve,
): Promise<LookupAddress[]> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(host);
  const addresses = family === 0 ? await resolved(host, resolve) : [{ address: host, family }];
  const inside = addresses.find(({ address }) => !isPublicAddress(address));
  if (inside === undefined || allowPrivateAddresses) return addresses;
  throw new FetchFault(
    `${host} is at ${inside.address}, which is no address of the public internet; allowPrivateAddresses permits that`,
  );
}

async function resolved(host: string, resolve: Resolve): Promise<LookupAddress[]> {
  try {
    const addresses = await resolve(host);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    throw new FetchFault(`${host} cannot be resolved: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`);
  }
  throw new FetchFault(`${host} has no address`);
}
