import { inQuotes } from '../hidden-characters.ts';
import { redirectUriProblem } from '../redirect-uri.ts';
import { signingAlgorithms } from '../signing-algorithm.ts';
import type { FieldTable } from './field.ts';
import { redirectUrisKind } from './redirect-uris.ts';

/** The fields of a client that say how it makes authorization requests. */
export const requestClientFields = {
  requirePushedAuthorizationRequests: {
    kind: { type: 'flag' },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Only pushed authorization requests',
    summary: 'it must push its authorization requests (PAR) to the server before the browser comes',
    details:
      'A request whose parameters come through the browser is then invalid_request (RFC 9126 section 6). The setting authorization.requirePushedRequests asks the same of all clients.',
  },
  requireSignedRequestObject: {
    kind: { type: 'flag' },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Only signed authorization requests',
    summary: 'it must send its authorization requests as signed request objects',
    details:
      'A request with a parameter that no key of the client has signed is then invalid_request (RFC 9101 section 10.5). The setting authorization.requireSignedRequests asks the same of all clients.',
  },
  requestObjectSigningAlg: {
    kind: { type: 'choice', values: ['', 'none', ...signingAlgorithms] },
    setBy: 'owner',
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Signature of request objects',
    summary:
      'the one algorithm of its request objects; none = unsigned ones alone; empty = each that fits its keys, or unsigned',
    details:
      'The parameter request of an authorization request holds a request object (RFC 9101, OpenID Connect Core section 6). A signed one needs jwks or jwksUri. No profile takes unsigned ones.',
  },
  requestUris: {
    kind: redirectUrisKind,
    setBy: 'owner',
    check: requestUriProblems,
    isKeptWhenLeftOut: true,
    isFixedInBuiltIn: true,
    label: 'Request URIs',
    summary: 'the https URLs from which the server fetches request objects of the client',
    details:
      'They are compared character by character. A fragment can be the base64url SHA-256 of the object, and says that an object with another one is newer (OpenID Connect Core section 6.2). They are used only if the setting authorization.requestUris is true.',
    option: '--request-uri <url>',
  },
} as const satisfies FieldTable;

/**
 * Base64url of SHA-256. A new fragment says that an object is newer (OpenID Connect Core §6.2). The object is not compared with it: none
 * is kept, and the suite of the OpenID Foundation registers the hash of a text that is no object.
 */
const digestPattern = /^[A-Za-z0-9_-]{43}$/;

export function* requestUriProblems(uris: readonly string[]): Iterable<string> {
  const { maxItems } = redirectUrisKind;
  if (uris.length > maxItems) yield `are more than ${maxItems}`;
  for (const uri of uris) {
    const problem = requestUriProblem(uri);
    if (problem !== undefined) yield `${inQuotes(uri.slice(0, 80))} ${problem}`;
  }
}

function requestUriProblem(uri: string): string | undefined {
  const [address = '', digest, ...others] = uri.split('#');
  if (!/^https:/i.test(address)) return 'is not an https URL';
  if (digest !== undefined && (others.length > 0 || !digestPattern.test(digest)))
    return 'has a fragment that is not the base64url SHA-256 of the object, of 43 characters';
  return redirectUriProblem(address);
}
