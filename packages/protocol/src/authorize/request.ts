import { type Client, isPublicClient } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import type { Scopes } from '../model/scope.ts';
import type { Submission } from '../ports/module-step.ts';
import type { Registry } from '../ports/registry.ts';
import { repeatedParameter } from '../rules/parameters.ts';
import { isCodeChallenge } from '../rules/pkce.ts';
import { grantScopes, parseScope, type ScopeSyntax } from '../rules/scope.ts';
import { readAuthenticatorHint } from './choose-authenticator.ts';
import { type Prompt, readMaxAge, readPrompt } from './prompt.ts';
import { RedirectedError, type ResponseTarget } from './response.ts';
import { mayReturnTo } from './return-address.ts';

/** An authorization request that was found valid (RFC 6749 §4.1.1, §4.2.1). */
export interface AuthorizationRequest extends ResponseTarget {
  readonly clientRecordId: number;
  /** Whether the request named the redirect URI; then the token request must too (RFC 6749 §4.1.3). */
  readonly namesRedirectUri: boolean;
  readonly scopes: Scopes;
  /** Whether the request named them; else they are all that the client has. */
  readonly namesScopes: boolean;
  /** S256 (RFC 7636 §4.3). */
  readonly codeChallenge?: string;
  readonly prompt: readonly Prompt[];
  /** Seconds. */
  readonly maxAge?: number;
  /** The authenticator that the client suggests, by its name. */
  readonly authenticatorHint?: string;
}

export interface RequestDependencies {
  readonly registry: Registry;
  readonly scopeSyntax: ScopeSyntax;
}

/**
 * Reads an authorization request: the client, then the redirect URI, then the rest. Until both are known to be
 * good nothing may be redirected (RFC 9700 §4.11).
 *
 * @throws OAuthError for the person in front of the browser: client or redirect URI is not known
 * @throws RedirectedError for the client: everything else
 */
export function readAuthorizationRequest(
  parameters: Submission,
  { registry, scopeSyntax }: RequestDependencies,
): AuthorizationRequest {
  const { client, target } = readResponseTarget(parameters, registry);
  try {
    refuseRepeated(parameters);
    checkResponseType(client, parameters);
    return {
      ...target,
      clientRecordId: client.id,
      namesRedirectUri: single(parameters, 'redirect_uri') !== undefined,
      scopes: requestedScopes(client, single(parameters, 'scope'), scopeSyntax),
      namesScopes: single(parameters, 'scope') !== undefined,
      ...optional('codeChallenge', readCodeChallenge(client, target, parameters)),
      prompt: readPrompt(single(parameters, 'prompt')),
      ...optional('maxAge', readMaxAge(single(parameters, 'max_age'))),
      ...optional('authenticatorHint', readAuthenticatorHint(single(parameters, 'authenticator_hint'))),
    };
  } catch (error) {
    throw error instanceof OAuthError ? new RedirectedError(target, error) : error;
  }
}

/**
 * Who asks, and where the answer goes, whatever else the request says.
 *
 * @throws OAuthError for the person in front of the browser
 */
export function readResponseTarget(
  parameters: Submission,
  registry: Registry,
): { readonly client: Client; readonly target: ResponseTarget } {
  refuseOversized(parameters);
  const client = requestingClient(single(parameters, 'client_id'), registry);
  const responseType = tolerantly(parameters, 'response_type');
  const target: ResponseTarget = {
    redirectUri: redirectUriOf(client, single(parameters, 'redirect_uri'), responseType),
    responseType: responseType === 'token' ? 'token' : 'code',
    // Of two the client sent one at most, and nobody knows which.
    ...(parameters.get('state')?.length === 1 && optional('state', tolerantly(parameters, 'state'))),
  };
  return { client, target };
}

/** One value at most; an empty one counts as absent (RFC 6749 §3.1). @throws OAuthError `invalid_request` */
function single(parameters: Submission, name: string): string | undefined {
  const values = parameters.get(name);
  if (values !== undefined && values.length > 1) throw repeatedParameter(name);
  return values?.[0] || undefined;
}

/** Of a repeated parameter the first, to know where the refusal goes. */
function tolerantly(parameters: Submission, name: string): string | undefined {
  return parameters.get(name)?.[0] || undefined;
}

// After decoding, names included.
const maxRequestOctets = 6000;
const maxOctets = { state: 4096, nonce: 512 };

/** So much fits into the cookies in which a login elsewhere waits (`waitingLimits`), and into an address. */
function refuseOversized(parameters: Submission): void {
  for (const [name, most] of Object.entries(maxOctets)) {
    for (const value of parameters.get(name) ?? []) {
      if (Buffer.byteLength(value) > most) {
        throw new OAuthError('invalid_request', { description: `The ${name} has more than ${most} octets.` });
      }
    }
  }
  let octets = 0;
  for (const [name, values] of parameters) {
    for (const value of values) octets += Buffer.byteLength(name) + Buffer.byteLength(value);
  }
  if (octets > maxRequestOctets) {
    throw new OAuthError('invalid_request', {
      description: `The parameters have more than ${maxRequestOctets} octets together.`,
    });
  }
}

function refuseRepeated(parameters: Submission): void {
  for (const [name, values] of parameters) if (values.length > 1) throw repeatedParameter(name);
}

function requestingClient(clientId: string | undefined, registry: Registry): Client {
  if (clientId === undefined) {
    throw new OAuthError('invalid_request', { description: 'The parameter client_id is missing.' });
  }
  const client = registry.clientByClientId(clientId);
  if (client !== undefined) return client;
  throw new OAuthError('invalid_request', { description: 'No client is registered under this client_id.' });
}

function redirectUriOf(client: Client, named: string | undefined, responseType: string | undefined): string {
  if (named !== undefined) {
    if (mayReturnTo(client, named)) return named;
    throw new OAuthError('invalid_request', {
      description:
        'The redirect_uri is not one that the client has registered; it is compared character by character, and only the port may differ where a native application registered http://127.0.0.1, http://[::1] or http://localhost.',
    });
  }
  const [only, ...others] = client.redirectUris;
  if (only !== undefined && others.length === 0 && responseType !== 'token') {
    if (mayReturnTo(client, only)) return only;
  }
  throw new OAuthError('invalid_request', {
    description:
      'The parameter redirect_uri is missing; only a client with exactly one may leave it out, and only for response_type=code.',
  });
}

function checkResponseType(client: Client, parameters: Submission): void {
  const responseType = single(parameters, 'response_type');
  if (responseType === undefined) {
    throw new OAuthError('invalid_request', { description: 'The parameter response_type is missing.' });
  }
  if (responseType !== 'code' && responseType !== 'token') throw new OAuthError('unsupported_response_type');
  if (responseType === 'token' && !client.allowedImplicitGrant) {
    throw new OAuthError('unauthorized_client', {
      description: 'The client may not use the implicit grant.',
    });
  }
  const responseMode = single(parameters, 'response_mode');
  const itsMode = responseType === 'code' ? 'query' : 'fragment';
  if (responseMode !== undefined && responseMode !== itsMode) {
    throw new OAuthError('invalid_request', {
      description: `The response_mode of response_type=${responseType} is ${itsMode}.`,
    });
  }
}

function requestedScopes(client: Client, scope: string | undefined, syntax: ScopeSyntax): Scopes {
  return grantScopes(scope === undefined ? undefined : parseScope(scope, syntax), client.scopes);
}

/** PKCE (RFC 7636), required of public clients (RFC 9700 §2.1.1). */
function readCodeChallenge(
  client: Client,
  { responseType }: ResponseTarget,
  parameters: Submission,
): string | undefined {
  if (responseType !== 'code') return undefined;
  const challenge = single(parameters, 'code_challenge');
  const method = single(parameters, 'code_challenge_method');
  if (challenge === undefined) {
    if (!isPublicClient(client) && method === undefined) return undefined;
    throw new OAuthError('invalid_request', { description: 'The parameter code_challenge is missing.' });
  }
  if (method !== 'S256') {
    throw new OAuthError('invalid_request', { description: 'The code_challenge_method must be S256.' });
  }
  if (!isCodeChallenge(challenge)) {
    throw new OAuthError('invalid_request', {
      description: 'The code_challenge must be the 43 base64url characters of a SHA-256 digest.',
    });
  }
  return challenge;
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [Key in Name]?: Value };
}
