import { certificateThumbprint } from '@watchword/proofs';
import type { ClientCertificateOptions } from '../options/token-verifier-options.ts';
import { builtinModule } from '../platform/platform.ts';
import type { Asked } from './asked.ts';

/** Finds the thumbprint of the certificate that a request was sent with; `undefined` if nobody who is trusted names one. */
export type FindCertificate = (asked: Asked) => string | Promise<string> | undefined;

/** @param warn takes a message for operators */
export function clientCertificates(
  { header, form, trustedProxies }: ClientCertificateOptions,
  warn: (message: string) => void,
): FindCertificate {
  const isTrusted = trustedProxies === '*' ? () => true : peersOf(trustedProxies);
  const name = header.toLowerCase();
  return (asked) => {
    const value = asked.header(name);
    if (typeof value !== 'string') return undefined;
    if (isTrusted(asked.peer)) return certificateThumbprint(value, form);
    warn(
      `The header ${header} of ${asked.peer ?? 'an unknown address'} was not believed: if a proxy has sent it, add it to clientCertificate.trustedProxies`,
    );
    return undefined;
  };
}

interface BlockList {
  addAddress(address: string, family: string): void;
  addSubnet(network: string, prefix: number, family: string): void;
  check(address: string, family: string): boolean;
}

interface Net {
  readonly BlockList?: new () => BlockList;
}

/** @throws where an address is none, or the platform tells no peers */
function peersOf(proxies: readonly string[]): (peer: string | undefined) => boolean {
  const { BlockList } = builtinModule('node:net') as Net;
  if (BlockList === undefined) {
    throw new Error(
      'clientCertificate.trustedProxies: expected *, because this platform does not tell where a request came from',
    );
  }
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    if (prefix === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (peer) => {
    const address = peer?.replace(/^::ffff:(?=\d+\.)/i, '');
    return address !== undefined && list.check(address, familyOf(address));
  };
}

function familyOf(address: string): string {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}
