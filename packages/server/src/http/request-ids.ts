import { randomBytes } from 'node:crypto';
import proxyAddress from '@fastify/proxy-addr';
import type { RequestSource } from './source-address.ts';

/** The header field with the id of a request, in every answer. */
export const requestIdHeader = 'x-request-id';

// Of characters that need no escape in a line of the log. nginx, HAProxy, Envoy, Caddy and load balancers make such ids.
const validId = /^[\w.:+/=@~-]{1,128}$/;

/**
 * Makes the function that gives a request its id: that of a trusted proxy, or a new one. New ids are unique across processes and
 * cheap to make.
 *
 * @param trustedProxies addresses and ranges such as `10.0.0.0/8`
 */
export function requestIds(trustedProxies: readonly string[]): (request: RequestSource) => string {
  const newId = newRequestIds();
  if (trustedProxies.length === 0) return newId;
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return ({ headers, socket: { remoteAddress } }) => {
    const sent = headers[requestIdHeader];
    const isKept =
      typeof sent === 'string' &&
      validId.test(sent) &&
      remoteAddress !== undefined &&
      isTrusted(remoteAddress, 0);
    // A part of a text keeps the whole text in memory, and ids of errors are remembered.
    return isKept ? Buffer.from(sent, 'latin1').toString('latin1') : newId();
  };
}

export function newRequestIds(): () => string {
  const prefix = randomBytes(5).toString('hex');
  let count = 0;
  return () => {
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}
