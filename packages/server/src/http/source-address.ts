import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';

/** What a request tells of its source. */
export interface RequestSource {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * Makes the function that finds the client address of a request: the peer, or the address that a trusted proxy reports in
 * `X-Forwarded-For`. From any other peer that header is ignored.
 *
 * @param trustedProxies addresses and ranges such as `10.0.0.0/8`
 * @param onIgnored called with the peer at each request whose header is ignored
 */
export function sourceAddress(
  trustedProxies: readonly string[],
  onIgnored: (peer: string) => void = () => {},
): (request: RequestSource) => string {
  const isForwarded = ({ headers }: RequestSource) => headers['x-forwarded-for'] !== undefined;
  if (trustedProxies.length === 0) {
    return (request) => {
      const peer = request.socket.remoteAddress ?? '';
      if (isForwarded(request)) onIgnored(peer);
      return peer;
    };
  }
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (request) => {
    const address = proxyAddress(request as IncomingMessage, isTrusted) ?? '';
    const peer = request.socket.remoteAddress;
    if (address === peer && isForwarded(request) && !isTrusted(peer, 0)) onIgnored(peer);
    // A part of a text keeps the whole text in memory, and addresses are remembered (docs/adr/0096).
    return Buffer.from(address).toString();
  };
}
