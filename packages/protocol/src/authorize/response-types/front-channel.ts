import { RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import { displayName } from '../../model/principal.ts';
import { type AccessToken, tokenTypeOf } from '../../model/records/access-token.ts';
import type { Client } from '../../model/records/client.ts';
import { answeredScope } from '../../model/targeted-scope.ts';
import type { IdTokenIssuer } from '../../openid/id-token.ts';
import { maySeeName } from '../../openid/subjects.ts';
import type { Instruments } from '../../ports/system/instruments.ts';
import {
  type NewAccessToken,
  newAccessToken,
  type TokenMakingDependencies,
} from '../../tokens/issue-access-token.ts';
import type { ResponseParameters } from '../targets/target-kind.ts';
import type { GrantedRequest } from './response-type.ts';

export interface FrontChannelDependencies extends TokenMakingDependencies {
  readonly instruments: Instruments;
  readonly issueIdToken: IdTokenIssuer;
  /** Seconds until the access token of a client without expiry expires. */
  readonly implicitLifetime: number;
}

/** What the authorization endpoint itself issues to a client. */
export interface FrontChannelContent {
  readonly accessToken: boolean;
  readonly idToken: boolean;
}

export interface FrontChannelTokens {
  /** Not stored yet. */
  readonly accessToken: AccessToken | undefined;
  readonly parameters: ResponseParameters;
  /** Counts what was issued, once it is stored. */
  count(): void;
}

/** Tokens of an authorization response never are in its query (Multiple Response Types §5). */
export const frontChannelModes = ['fragment', 'form_post', 'jwt', 'fragment.jwt', 'form_post.jwt'] as const;

/** Grants that have no token request (RFC 6749 §4.2); clients of the hybrid flow register the implicit one too (OpenID Connect Registration §2). */
export const frontChannelMetadata = { grant_types_supported: ['implicit'] } as const;

/**
 * Makes what the authorization endpoint itself issues (RFC 6749 §4.2.2, OpenID Connect Core §3.2.2.5, §3.3.2.5), and stores nothing.
 *
 * @param code that comes with it
 */
export async function frontChannelTokens(
  granted: GrantedRequest,
  content: FrontChannelContent,
  deps: FrontChannelDependencies,
  code?: string,
): Promise<FrontChannelTokens> {
  const { client } = granted;
  const made = content.accessToken ? newFrontChannelToken(granted, deps) : undefined;
  const issued = made instanceof Promise ? await made : made;
  const idToken = content.idToken
    ? await newIdToken(granted, { accessToken: issued?.accessTokenValue, code }, deps)
    : undefined;
  return {
    accessToken: issued?.accessToken,
    parameters: {
      ...(issued && tokenParameters(granted, issued, deps)),
      ...(idToken !== undefined && { id_token: idToken }),
    },
    count() {
      if (issued !== undefined) deps.instruments.tokenIssued('implicit', client);
      if (idToken !== undefined) deps.instruments.idTokenIssued('implicit', client);
    },
  };
}

/** A client whose access tokens are bound to its key or certificate gets none here, where it proves neither. */
export function mayGetUnbound(
  { accessToken }: FrontChannelContent,
  { dpopBoundAccessTokens, tlsClientCertificateBoundAccessTokens }: Client,
): boolean {
  return !accessToken || !(dpopBoundAccessTokens || tlsClientCertificateBoundAccessTokens);
}

function newFrontChannelToken({ client, grant }: GrantedRequest, deps: FrontChannelDependencies) {
  const lifetime = lifetimeOf(client, deps);
  return newAccessToken({ client, scopes: grant.scopes, grant, lifetime, confirmation: undefined }, deps);
}

/** RFC 6749 §4.2.2. */
function tokenParameters(
  { client, grant }: GrantedRequest,
  { accessToken, accessTokenValue }: NewAccessToken,
  { registry }: FrontChannelDependencies,
): ResponseParameters {
  const isNamed =
    client.includePrincipal &&
    maySeeName(client, grant.scopes, registry.resourceServerById(client.resourceServerId));
  return {
    access_token: accessTokenValue,
    token_type: tokenTypeOf(accessToken),
    // Never 0: a token that was in an address always expires.
    expires_in: String((accessToken.expires - accessToken.creationDate) / 1000),
    scope: answeredScope(grant.scopes),
    ...(isNamed && { principal: displayName(grant.owner.principal) }),
  };
}

function lifetimeOf(
  { expireDuration }: GrantedRequest['client'],
  { implicitLifetime }: FrontChannelDependencies,
): number {
  return expireDuration === 0 ? implicitLifetime : expireDuration;
}

async function newIdToken(
  { client, grant, openid }: GrantedRequest,
  issuedWith: { readonly accessToken: string | undefined; readonly code: string | undefined },
  { issueIdToken }: FrontChannelDependencies,
): Promise<string> {
  const { scopes } = grant;
  const idToken = await issueIdToken({ client, grant, scopes, nonce: openid?.nonce, ...issuedWith });
  if (idToken !== undefined) return idToken;
  throw new RedirectableError('invalid_scope', because('openid_scope', { of: 'ID token' }));
}
