import { noKeys, readKeySet } from '@watchword/proofs';
import { httpsUriProblems } from '../../model/fields/uris.ts';
import { isObject } from '../../model/json-object.ts';
import type { Client } from '../../model/records/client.ts';
import { redirectUriProblem } from '../../model/redirect-uri.ts';
import type { ProfileChecks } from '../../rules/profile-checks.ts';
import { claimedName, nameAtHost } from '../claimed-name.ts';

/** What the server uses of the document of a client. */
export interface ClientDocument {
  /** What the client calls itself, with its host; the host alone if it has no name that can be shown. */
  readonly name: string;
  /** At least one. */
  readonly redirectUris: readonly string[];
  readonly useRefreshTokens: boolean;
  readonly dpopBoundAccessTokens: boolean;
  readonly requirePushedAuthorizationRequests: boolean;
  readonly requireSignedRequestObject: boolean;
  /** With which it authenticates; `undefined` if it is public. */
  readonly keys: DocumentKeys | undefined;
}

/** One of them is empty. */
type DocumentKeys = Pick<Client, 'jwks' | 'jwksUri'>;

const maxRedirectUris = 100;

/**
 * Reads the document of a client (draft-ietf-oauth-client-id-metadata-document-02 §4, RFC 7591 §2). What the server does not know
 * is ignored (RFC 7591 §2).
 *
 * @param document the JSON value
 * @param profile of the server; absent: `compatible`
 * @returns a problem as a part of a sentence, in ASCII and without a text of the document
 */
export function readClientDocument(
  document: unknown,
  url: string,
  profile?: ProfileChecks | undefined,
): ClientDocument | { readonly problem: string } {
  if (!isObject(document)) return { problem: 'is not a JSON object' };
  const problem = identityProblem(document, url) ?? secretProblem(document) ?? usesProblem(document);
  if (problem !== undefined) return { problem };
  const keys = keysOf(document);
  if (keys !== undefined && 'problem' in keys) return keys;
  const requireSignedRequestObject = document.require_signed_request_object === true;
  if (requireSignedRequestObject && keys === undefined)
    return { problem: 'has require_signed_request_object without private_key_jwt and its keys' };
  const redirectUris = usableRedirectUris(document.redirect_uris, profile);
  if (typeof redirectUris === 'string') return { problem: redirectUris };
  const grantTypes = textsOf(document.grant_types) ?? [];
  return {
    name: nameAtHost(claimedName(document.client_name), new URL(url).host),
    redirectUris,
    useRefreshTokens: grantTypes.includes('refresh_token'),
    dpopBoundAccessTokens: document.dpop_bound_access_tokens === true,
    requirePushedAuthorizationRequests: document.require_pushed_authorization_requests === true,
    requireSignedRequestObject,
    keys,
  };
}

function identityProblem({ client_id: named }: Readonly<Record<string, unknown>>, url: string) {
  if (named === undefined) return 'has no client_id';
  // Character by character, with no form of the URL that means the same (§4, RFC 3986 §6.2.1).
  return named === url ? undefined : 'names another client_id than its own address';
}

/** Everybody can read the document, so nothing in it is secret. */
function secretProblem(document: Readonly<Record<string, unknown>>): string | undefined {
  return Object.keys(document).some((name) => /secret/i.test(name))
    ? 'has a member for a client secret'
    : undefined;
}

function keysOf(
  document: Readonly<Record<string, unknown>>,
): DocumentKeys | { readonly problem: string } | undefined {
  const { token_endpoint_auth_method: method = 'none', jwks, jwks_uri: jwksUri = '' } = document;
  if (method === 'none') return undefined;
  if (method !== 'private_key_jwt')
    return { problem: 'has a token_endpoint_auth_method other than none and private_key_jwt' };
  if (typeof jwksUri !== 'string' || (jwks === undefined) === (jwksUri === ''))
    return { problem: 'has private_key_jwt without one of jwks and jwks_uri, or with both' };
  for (const problem of httpsUriProblems(jwksUri)) return { problem: `has a jwks_uri that ${problem}` };
  if (jwks === undefined) return { jwks: noKeys, jwksUri };
  const read = readKeySet(jwks);
  return 'problem' in read ? { problem: `has a jwks that ${read.problem}` } : { jwks: read, jwksUri };
}

function usesProblem(document: Readonly<Record<string, unknown>>): string | undefined {
  const needed = { grant_types: 'authorization_code', response_types: 'code' } as const;
  for (const [name, value] of Object.entries(needed)) {
    const values = document[name] === undefined ? [value] : textsOf(document[name]);
    if (values === undefined) return `has a member ${name} that is not a list of texts`;
    if (!values.includes(value)) return `has ${name} without ${value}`;
  }
  return undefined;
}

/** Those that could be registered: one that this server cannot use must not keep users from the others. */
function usableRedirectUris(value: unknown, profile: ProfileChecks | undefined): readonly string[] | string {
  const all = textsOf(value);
  if (all === undefined) return 'has no redirect_uris, or not as a list of texts';
  if (all.length > maxRedirectUris) return `has more than ${maxRedirectUris} redirect_uris`;
  const usable = [...new Set(all)].filter(
    (uri) => redirectUriProblem(uri) === undefined && profile?.refusal('redirectUri', uri) === undefined,
  );
  return usable.length > 0
    ? usable
    : 'has no redirect URI that can be used: https, http on a loopback host, or a private-use scheme such as com.example.app';
}

function textsOf(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) && value.every((member) => typeof member === 'string') ? value : undefined;
}
