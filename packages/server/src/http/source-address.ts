import type { IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

/**
 * Makes what finds the address that a request comes from: the peer, or what a trusted proxy says in `X-Forwarded-For`. From
 * any other peer that header is ignored.
 *
 * @param trustedProxies addresses and ranges such as `10.0.0.0/8`
 */
export function sourceAddress(trustedProxies: readonly string[]): (message: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (message) => proxyAddress(message, isTrusted) ?? '';
}
