import { BlockList, isIP } from 'node:net';

// Special-purpose addresses (RFC 6890 and the IANA registries that it names). None of them is a server of the public
// internet, and each can be a machine of the network in which this process runs.
const specialIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

// Only global unicast addresses of IPv6 are public, except addresses that represent IPv4 addresses or are for documentation.
const globalIpv6 = ['2000::/3'];
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const ipv4 = listOf(specialIpv4, 'ipv4');
const ipv6 = listOf(specialIpv6, 'ipv6');
const global = listOf(globalIpv6, 'ipv6');

/** Whether an IP address is one of the public internet; `false` for a text that is not an address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !ipv4.check(address, 'ipv4');
  return isIP(address) === 6 && global.check(address, 'ipv6') && !ipv6.check(address, 'ipv6');
}

function listOf(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/');
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
