import { isIP } from 'node:net';

/**
 * The part of a network address that identifies a subscriber: an IPv4 address, or the /64 of an IPv6 address, within which
 * one subscriber has 2^64 addresses. An IPv6 address that contains an IPv4 address is treated as IPv4.
 */
export function addressGroup(address: string): string {
  return groupOf(address, 4);
}

/**
 * The /48 of an IPv6 address, which one subscriber can have in whole, or many can share; `undefined` for any other address.
 */
export function addressSite(address: string): string | undefined {
  const group = groupOf(address, 3);
  return group.includes(':') ? group : undefined;
}

/** @param length of an IPv6 network, in groups of 16 bits */
function groupOf(address: string, length: 3 | 4): string {
  const plain = withoutPort(address).split('%', 1)[0] ?? '';
  const version = isIP(plain);
  if (version === 4) return plain;
  if (version === 0) return unknown;
  const groups = expand(plain);
  if (ipv4Prefixes.some((prefix) => prefix.every((group, index) => group === groups[index]))) {
    const [high = 0, low = 0] = groups.slice(6);
    return `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`;
  }
  return `${groups
    .slice(0, length)
    .map((group) => group.toString(16))
    .join(':')}::/${16 * length}`;
}

// IPv4-mapped (RFC 4291 §2.5.5.2), and translated for a server that has IPv6 only (RFC 6052 §2.1): its callers share a /64.
const ipv4Prefixes = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
];

// All texts of a proxy that are not an address share one group, so that a client gains nothing from different texts.
const unknown = 'unknown';

/** Some proxies write `192.0.2.1:1234` and `[2001:db8::1]:1234`. */
function withoutPort(address: string): string {
  return /^\[([^\]]*)\](?::\d+)?$|^([^:]*):\d+$/.exec(address)?.slice(1).find(Boolean) ?? address;
}

function expand(address: string): number[] {
  // The URL parser writes every IPv6 address in one form: hexadecimal groups, at most one "::".
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = '', tail] = canonical.split('::');
  const parse = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const left = parse(head);
  if (tail === undefined) return left;
  const right = parse(tail);
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}
