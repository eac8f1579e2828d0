import { OAuthError, RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { Client } from '../../model/records/client.ts';
import { isTargeted } from '../../model/targeted-scope.ts';
import type { UserClaims } from '../../openid/user-claims.ts';
import { isAdministration, onlyAdministers } from '../../rules/built-in-records.ts';
import { firstRepeated, repeatedParameter } from '../../rules/parameters.ts';
import type { ProfileChecks } from '../../rules/profile-checks.ts';
import type { ScopeSyntax } from '../../rules/scope.ts';
import { targetServers } from '../../rules/target-servers.ts';
import { type AuthorizationParameters, firstValue, isRepeated } from '../parameters.ts';
import { findResponseType, type ResponseTypes } from '../response-types/response-types.ts';
import type { ErrorForClient, ErrorForOwner } from '../targets/authorization-error.ts';
import { targetAt, targetsOfModes } from '../targets/response-target.ts';
import type { ResponseTarget } from '../targets/target-kind.ts';
import type { AuthorizationRequest, RequestingClient } from './authorization-request.ts';
import { readHints } from './hints.ts';
import { readOpenid } from './openid.ts';
import { forbidsPages, readMaxAge, readPrompt } from './prompt.ts';
import { requestedRedirectUri } from './redirect-uri.ts';
import { oversizeError } from './request-size.ts';
import { type ClientDependencies, readClient } from './requesting-client.ts';
import { readResponseType, responseModeOf } from './response-type.ts';
import { readScopes } from './scope.ts';

export interface RequestDependencies extends ClientDependencies {
  readonly scopeSyntax: ScopeSyntax;
  readonly responseTypes: ResponseTypes;
  readonly userClaims: Pick<UserClaims, 'scopeFor'>;
  /** People make accounts by themselves. Default: `false`. */
  readonly hasSignUp?: boolean;
  /** Absent: `compatible`. */
  readonly profile?: ProfileChecks | undefined;
  /** Every client must push its requests, but those of the administration. Default: `false`. */
  readonly requiresPushed?: boolean;
  /** Every client must sign its requests, but those of the administration. Default: `false`. */
  readonly requiresSigned?: boolean;
}

/** What brought a request to the server. */
export interface RequestCarrier {
  /** The client itself, before the browser came (RFC 9126). */
  readonly isPushed?: boolean;
  /** An object that the client signed, with all parameters in it (RFC 9101). */
  readonly isSigned?: boolean;
}

export type RequestReading = ValidRequest | ErrorForClient | ErrorForOwner;

export interface ValidRequest {
  readonly type: 'valid';
  readonly request: AuthorizationRequest;
}

/**
 * Reads an authorization request: the client, then the redirect URI, then the rest. An error of the first two is for the
 * resource owner, for it is not known that the redirect URI is the client's (RFC 9700 §4.11). Throws nothing.
 *
 * @param described the client, if the request names one that a document describes
 */
export function readAuthorizationRequest(
  parameters: AuthorizationParameters,
  deps: RequestDependencies,
  carrier?: RequestCarrier,
  described?: RequestingClient,
): RequestReading {
  const address = readAddress(parameters, deps, described);
  if (address instanceof OAuthError) return { type: 'errorForOwner', error: address };
  const request = readAddressed(parameters, address, deps, carrier);
  if (!(request instanceof RedirectableError)) return { type: 'valid', request };
  return errorForClient(address, request, parameters);
}

/** An error of the request, before any login. */
export function errorForClient(
  { client, target }: { readonly client: Client; readonly target: ResponseTarget },
  error: RedirectableError,
  parameters: AuthorizationParameters,
): ErrorForClient {
  const isImmediate = client.trusted || forbidsPages(parameters);
  return { type: 'errorForClient', target, error, isImmediate, cookies: {} };
}

/** Which client asks, and where the response goes. */
interface Address extends RequestingClient {
  readonly target: ResponseTarget;
}

function readAddress(
  parameters: AuthorizationParameters,
  { registry, responseTypes, profile }: RequestDependencies,
  described: RequestingClient | undefined,
): Address | OAuthError {
  const oversize = oversizeError(parameters);
  if (oversize !== undefined) return oversize;
  const requesting = readClient(parameters, registry, described);
  if (requesting instanceof OAuthError) return requesting;
  const responseType = findResponseType(responseTypes, firstValue(parameters, 'response_type'));
  const redirectUri = requestedRedirectUri(parameters, requesting.client, responseType, profile);
  if (redirectUri instanceof OAuthError) return redirectUri;
  // Of two values of state it is not known which one the client sent.
  const state = isRepeated(parameters, 'state') ? undefined : firstValue(parameters, 'state');
  const responseMode = responseModeOf(parameters, requesting.client, responseType, redirectUri);
  const kind = targetsOfModes[responseMode];
  return { ...requesting, target: targetAt(kind, redirectUri, requesting.client, state) };
}

function readAddressed(
  parameters: AuthorizationParameters,
  { target, ...requesting }: Address,
  deps: RequestDependencies,
  carrier: RequestCarrier | undefined,
): AuthorizationRequest | RedirectableError {
  const { client } = requesting;
  const { responseTypes, userClaims, hasSignUp = false, profile } = deps;
  const missing = missingCarrier(requesting, deps, carrier);
  if (missing !== undefined) return new RedirectableError('invalid_request', because(missing));
  const repeated = firstRepeated(parameters);
  if (repeated !== undefined) return repeatedParameter(repeated);
  const unsupported = unsupportedParameter(parameters);
  if (unsupported !== undefined) return unsupported;
  const refused = profile && profileRefusal(parameters, requesting, carrier, responseTypes, profile);
  if (refused !== undefined) return refused;
  const responseType = readResponseType(parameters, { client, target }, responseTypes);
  if (responseType instanceof RedirectableError) return responseType;
  const scopes = readScopes(parameters, requesting, responseType, deps);
  if (scopes instanceof RedirectableError) return scopes;
  const openid = readOpenid(parameters, requesting, scopes, responseType, userClaims);
  if (openid instanceof RedirectableError) return openid;
  const extra = responseType.read(parameters, client);
  if (extra instanceof RedirectableError) return extra;
  const prompt = readPrompt(parameters, hasSignUp);
  if (prompt instanceof RedirectableError) return prompt;
  const maxAge = readMaxAge(parameters);
  if (maxAge instanceof RedirectableError) return maxAge;
  return {
    ...requesting,
    responseType,
    extra,
    target,
    namesRedirectUri: firstValue(parameters, 'redirect_uri') !== undefined,
    scopes,
    targets: targetServers(scopes, requesting.resourceServer, deps.registry),
    namesScopes: firstValue(parameters, 'scope') !== undefined || isTargeted(scopes),
    prompt,
    ...(maxAge !== undefined && { maxAge }),
    ...(openid && { openid }),
    ...readHints(parameters),
  };
}

/** The rule of a request that did not come as its client or the server asks. The pages of the administration have no server that could push or sign. */
function missingCarrier(
  { client, resourceServer }: RequestingClient,
  { requiresPushed = false, requiresSigned = false }: RequestDependencies,
  { isPushed = false, isSigned = false }: RequestCarrier = {},
): 'pushed_request' | 'signed_request' | undefined {
  const isExempt = onlyAdministers(client, resourceServer);
  const mustPush = client.requirePushedAuthorizationRequests || (requiresPushed && !isExempt);
  if (mustPush && !isPushed) return 'pushed_request';
  const mustSign = client.requireSignedRequestObject || (requiresSigned && !isExempt);
  return mustSign && !isSigned ? 'signed_request' : undefined;
}

// A server that ignored one of these would answer another request than the client made.
const unsupported = [
  ['request', 'request_not_supported'],
  ['request_uri', 'request_uri_not_supported'],
  ['registration', 'registration_not_supported'],
] as const;

/** The error for a request object or a self-issued registration (OpenID Connect Core §3.1.2.6); `undefined` without one. */
function unsupportedParameter(parameters: AuthorizationParameters): RedirectableError | undefined {
  const found = unsupported.find(([name]) => firstValue(parameters, name) !== undefined);
  return found && new RedirectableError(found[1]);
}

/** The error for a request that the profile of the server refuses. One without a response type that the server knows has another error. */
function profileRefusal(
  parameters: AuthorizationParameters,
  { client, resourceServer }: RequestingClient,
  carrier: RequestCarrier | undefined,
  responseTypes: ResponseTypes,
  profile: ProfileChecks,
): RedirectableError | undefined {
  const responseType = findResponseType(responseTypes, firstValue(parameters, 'response_type'));
  if (responseType === undefined) return undefined;
  return profile.authorizationRefusal({
    responseType: responseType.name,
    hasChallenge: firstValue(parameters, 'code_challenge') !== undefined,
    namesResource: (parameters.get('resource') ?? []).some((value) => value !== ''),
    isOfAdministration: isAdministration(resourceServer),
    onlyAdministers: onlyAdministers(client, resourceServer),
    isPushed: carrier?.isPushed === true,
    namesRedirectUri: firstValue(parameters, 'redirect_uri') !== undefined,
  });
}
