import { type Client, isPublicClient } from '../model/records/client.ts';
import { redirectUriProblem } from '../model/redirect-uri.ts';
import { commandLineClientId } from './built-in-records.ts';

/**
 * Whether a redirect URI of a request is one that the client registered: the same text, character by character
 * (RFC 9700 §4.1.3). Only the port of an http URI on a loopback host may differ (RFC 8252 §7.3), since a native
 * application takes the one that is free. A registered URI that could not be registered today counts for nothing.
 */
export function isRegisteredRedirectUri(uri: string, registered: readonly string[]): boolean {
  return registrable(registered).some(
    (candidate) =>
      candidate === uri ||
      (withoutLoopbackPort(candidate) === withoutLoopbackPort(uri) && redirectUriProblem(uri) === undefined),
  );
}

// By the list of a record, which never changes. Each authorization request asks five times.
const knownRegistrable = new WeakMap<readonly string[], readonly string[]>();

/** Those of the registered URIs that could be registered today. */
function registrable(registered: readonly string[]): readonly string[] {
  const known = knownRegistrable.get(registered);
  if (known !== undefined) return known;
  const found = registered.filter((uri) => redirectUriProblem(uri) === undefined);
  knownRegistrable.set(registered, found);
  return found;
}

// The text between host and path, and nothing that a parser would have to make sense of. `localhost` is a name
// that can be made to mean another machine (RFC 8252 §8.3), but it is what applications register.
const loopbackPattern = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?(?=[/?]|$)/;

function withoutLoopbackPort(uri: string): string {
  return uri.replace(loopbackPattern, '$1');
}

/** Origins whose scripts can be the public client (CORS). The command line of the administration is no page, though its redirect URI is on every loopback port. */
export function publicOrigins(client: Pick<Client, 'clientId' | 'confidential' | 'redirectUris'>): string[] {
  if (!isPublicClient(client) || client.clientId === commandLineClientId) return [];
  return client.redirectUris.map(redirectUriOrigin).filter((origin) => origin !== undefined);
}

/**
 * The origin of the scripts of the page at a redirect URI (RFC 6454); `undefined` if there is none. If the port of the redirect
 * URI can differ, the result has no port. {@link scriptOrigin} makes the same of the `Origin` that a browser sends.
 */
export function redirectUriOrigin(uri: string): string | undefined {
  if (!URL.canParse(uri)) return undefined;
  const { origin } = new URL(uri);
  return origin === 'null' ? undefined : scriptOrigin(origin);
}

/** An `Origin` header as {@link redirectUriOrigin} gives it. */
export function scriptOrigin(origin: string): string {
  return withoutLoopbackPort(origin);
}
