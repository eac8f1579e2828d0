import { isIPv6 } from 'node:net';
import { isLoopbackHost } from '@watchword/protocol';
import type { ReceivedRequest } from './connections/received-request.ts';
import type { HttpRequest } from './request.ts';
import { authorityOf } from './request-target.ts';

/** Whether a request asks for another host than this server. */
export type ForeignHostCheck = (request: Pick<ReceivedRequest, 'target' | 'headers'>) => boolean;

/**
 * Recognizes requests for a host that is neither this machine nor one of the names. A page of any site can let its own name point
 * to this machine (DNS rebinding). To its browser the server is then of the same origin, so the page can read every answer. A
 * request that names no host is no request of a browser.
 *
 * @param names host names and addresses, without port
 */
export function foreignHostCheck(names: readonly string[]): ForeignHostCheck {
  const known = new Set(names.map((name) => hostnameOf(isIPv6(name) ? `[${name}]` : name)));
  const isKnown = (host: string) => {
    const hostname = hostnameOf(host);
    return hostname !== undefined && (known.has(hostname) || isThisMachine(hostname));
  };
  // Nearly every request names the same host as the one before.
  let last = '';
  return ({ target, headers }) => {
    // Such a target takes precedence over the field (RFC 9112 §3.2.2), unless it names no host.
    const host = authorityOf(target) || (headers.host ?? '');
    if (host === '' || host === last) return false;
    if (!isKnown(host)) return true;
    last = host;
    return false;
  };
}

/** Names below `localhost` are of this machine too, whatever a name server says (RFC 6761 §6.3). */
function isThisMachine(hostname: string): boolean {
  return isLoopbackHost(hostname) || hostname.endsWith('.localhost');
}

/** Header fields by which proxies show themselves. */
const ofProxies = /^(?:x-forwarded-|x-real-ip$|x-original-|forwarded$|via$|cf-)/;

/**
 * Whether a browser of this machine sends the request, as far as it shows: it names a loopback host, comes from a loopback address, and no
 * proxy has left a trace. A form must also be one of this origin. A name of the setting `allowedHosts` is none of this machine.
 */
export function isAtThisMachine({
  headers,
  method,
  source,
}: Pick<HttpRequest, 'headers' | 'method' | 'source'>): boolean {
  if (!isHostHere(headers.host ?? '') || !isLoopbackAddress(source)) return false;
  if (Object.keys(headers).some((name) => ofProxies.test(name))) return false;
  // A silent proxy leaves the origin, which has the name that its visitors use. Browsers write "null" for a page without a referrer.
  const { origin = 'null', 'sec-fetch-site': site = 'same-origin' } = headers;
  if (origin !== 'null' && !isOriginHere(origin)) return false;
  return method === 'GET' || site === 'same-origin';
}

const isHostHere = rememberingLast((host) => isThisMachine(hostnameOf(host) ?? ''));
const isOriginHere = rememberingLast((origin) => isThisMachine(URL.parse(origin)?.hostname ?? ''));

/** Nearly every request names the same host as the one before, and parsing it takes 10 us. */
function rememberingLast(decide: (text: string) => boolean): (text: string) => boolean {
  let last = { text: '', decision: decide('') };
  return (text) => {
    if (text !== last.text) last = { text, decision: decide(text) };
    return last.decision;
  };
}

function isLoopbackAddress(address: string): boolean {
  const mapped = address.replace(/^::ffff:/i, '');
  // Only of an IPv6 address; whether it is one at all takes longer to find out.
  return isLoopbackHost(mapped.includes(':') ? `[${mapped}]` : mapped);
}

/** In the form of a URL, without port. `undefined` for a text that is no host. */
function hostnameOf(host: string): string | undefined {
  return /[/\\?#@\s]/.test(host) ? undefined : URL.parse(`http://${host}`)?.hostname;
}
