import { timingSafeEqual } from 'node:crypto';
import type { AuthorizationCode } from '../model/authorization-code.ts';
import { type Client, isPublicClient, isRevokedWithClient } from '../model/client.ts';
import type { ErrorRuleName } from '../model/error-rules/error-rules.ts';
import { OAuthError, type OAuthErrorDetails } from '../model/errors.ts';
import type { Grant } from '../model/grant.ts';
import { withHidden } from '../model/hidden-characters.ts';
import { type Identity, identityOf } from '../model/resource-owner.ts';
import type { IdTokenIssuer } from '../openid/id-token.ts';
import { remainingScopesOf } from '../openid/scopes.ts';
import type { AuthorizationCodeStore, FoundAuthorizationCode } from '../ports/authorization-code-store.ts';
import type { GrantStore } from '../ports/grant-store.ts';
import { isOfConfiguredProvider, type OwnerDependencies } from '../rules/configured-identity-provider.ts';
import { fingerprint } from '../rules/fingerprint.ts';
import { optionalParameter, requiredParameter } from '../rules/parameters.ts';
import { challengeStart, shownVerifier, verifierMatches } from '../rules/pkce.ts';
import { quotedUrl } from '../rules/quoted.ts';
import { expiredAt, providerIsGone, revokedWithClient, timesOf } from '../rules/reasons.ts';
import { parseBearerValue } from '../tokens/bearer-value.ts';
import { newAccessToken, type TokenMakingDependencies } from '../tokens/issue-access-token.ts';
import { newRefreshToken, type RefreshTokenMaking } from '../tokens/refresh-tokens.ts';
import type { Entitlement, GrantedTokenRequest, GrantType, IssuedTokens } from './grant-type.ts';

export interface AuthorizationCodeDependencies
  extends TokenMakingDependencies,
    RefreshTokenMaking,
    OwnerDependencies {
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly grants: GrantStore;
  readonly issueIdToken: IdTokenIssuer;
}

/** The parameters of a token request (RFC 6749 §4.1.3, RFC 7636 §4.5). */
interface CodeParameters {
  readonly value: string;
  readonly redirectUri: string | undefined;
  readonly codeVerifier: string | undefined;
}

/** A code that the client can redeem, unless another request is faster. */
interface RedeemableCode extends Entitlement {
  /** As it was presented. */
  readonly value: string;
  readonly code: AuthorizationCode;
  readonly grant: Grant;
  readonly owner: Identity;
}

/**
 * The client redeems an authorization code (RFC 6749 §4.1.3). A code can be redeemed once: a valid request for a redeemed code
 * revokes everything that was issued for it (§4.1.2, §10.5). A rejected request leaves the code valid, a few times.
 */
export function authorizationCodeGrant(
  deps: AuthorizationCodeDependencies,
): GrantType<CodeParameters, RedeemableCode> {
  return {
    type: 'authorization_code',
    // The resource owner consented to the scopes of the authorization request, and the token request has no scope.
    takesScope: false,
    requires: 'a redirect URI',
    rule: 'allowed_code',
    isAllowedFor: (client) => client.redirectUris.length > 0,
    read: (parameters) => ({
      value: requiredParameter(parameters, 'code'),
      redirectUri: optionalParameter(parameters, 'redirect_uri'),
      codeVerifier: optionalParameter(parameters, 'code_verifier'),
    }),
    check: (parameters, client) => checkCode(parameters, client, deps),
    issue: (granted) => redeemCode(granted, deps),
  };
}

async function checkCode(
  parameters: CodeParameters,
  client: Client,
  deps: AuthorizationCodeDependencies,
): Promise<RedeemableCode> {
  const { authorizationCodes, grants, clock } = deps;
  const { code, isRedeemed, grant } = await findCode(parameters.value, client, authorizationCodes);
  if (grant === undefined)
    throw invalidCode('active_grant', 'The grant of the authorization code has ended.');
  const owner = identityOf(grant.owner);
  if (!isOfConfiguredProvider(owner, deps)) throw invalidCode('configured_provider', providerIsGone, owner);
  const mismatch = redemptionMismatch(code, client, parameters);
  if (mismatch !== undefined) {
    await authorizationCodes.recordFailure(code.id);
    throw new OAuthError('invalid_grant', { ...mismatch, account: owner });
  }
  const now = clock.now();
  if (isRedeemed) {
    await grants.revoke(code.grantId, now);
    throw replayedCode(owner, parameters.value);
  }
  const isExpired = code.expires <= now;
  if (isExpired || isRevokedWithClient(client, code)) {
    throw new OAuthError('invalid_grant', {
      description: 'The authorization code has expired.',
      reason: isExpired ? expiredAt('The authorization code', code.expires) : revokedWithClient,
      rule: isExpired ? 'code_lifetime' : 'unrevoked',
      ...(isExpired && timesOf('the authorization code', code.expires, now)),
      account: owner,
    });
  }
  const resourceServer = deps.registry.resourceServerById(client.resourceServerId);
  const scopes = remainingScopesOf(code.scopes, client, resourceServer);
  return { value: parameters.value, code, grant, owner, scopes };
}

async function redeemCode(
  { client, entitlement: { value, code, grant, owner }, scopes }: GrantedTokenRequest<RedeemableCode>,
  deps: AuthorizationCodeDependencies,
): Promise<IssuedTokens> {
  const { authorizationCodes, grants, clock } = deps;
  const { accessToken, accessTokenValue } = await newAccessToken({ client, scopes, grant }, deps);
  const refresh = client.useRefreshTokens
    ? newRefreshToken(client, { grantId: grant.id, scopes }, deps)
    : undefined;
  // Signed before the code is used up, so that the client can ask again when the server cannot sign.
  const idToken = await deps.issueIdToken({
    client,
    grant,
    scopes,
    nonce: code.nonce,
    accessToken: accessTokenValue,
  });
  const now = clock.now();
  if (
    !(await authorizationCodes.redeem(code.id, { accessToken, refreshToken: refresh?.refreshToken }, now))
  ) {
    // Another request redeemed the code, or the grant was revoked. One of two holders of a code is an attacker.
    await grants.revoke(grant.id, now);
    throw replayedCode(owner, value);
  }
  return {
    accessToken,
    accessTokenValue,
    refreshTokenValue: refresh?.refreshTokenValue,
    ...(idToken !== undefined && { members: { id_token: idToken } }),
  };
}

/**
 * The code of another client has the same error as a code that does not exist, and no failure is recorded for it: otherwise any
 * client could use it up.
 */
async function findCode(
  value: string,
  client: Client,
  authorizationCodes: AuthorizationCodeStore,
): Promise<FoundAuthorizationCode> {
  const presented = parseBearerValue('code', value);
  if (presented === undefined)
    throw invalidCode('known_code', 'The parameter code is not an authorization code of this server.');
  const found = await authorizationCodes.find(presented.id);
  const isOwn = found?.code.clientRecordId === client.id;
  if (isOwn && timingSafeEqual(found.code.verifierHash, presented.verifierHash)) return found;
  throw invalidCode('known_code', noSuchCode, undefined, fingerprint(value));
}

// The same for the code of another client: a record owner must not learn that a stolen code is valid.
const noSuchCode =
  'The client has no such authorization code. It can be that of another client, or have expired some time ago.';

type Mismatch = Pick<OAuthErrorDetails, 'description' | 'reason' | 'rule' | 'expected' | 'came'>;

/** Why the request does not match the authorization request; `undefined` when it does. */
function redemptionMismatch(
  code: AuthorizationCode,
  client: Client,
  { redirectUri, codeVerifier }: CodeParameters,
): Mismatch | undefined {
  // A client that named no redirect URI had only one, and can name it now.
  const expected = code.redirectUri ?? redirectUri;
  if (redirectUri !== expected || (code.redirectUri === undefined && !isRegistered(redirectUri, client))) {
    return {
      description: withHidden(
        'The redirect_uri is not that of the authorization request.',
        redirectUri ?? '',
      ),
      reason: `The token request has ${shownRedirectUri(redirectUri)}, the authorization request had ${shownRedirectUri(code.redirectUri)}.`,
      rule: 'code_redirect_uri',
      expected: shownRedirectUri(code.redirectUri),
      came: shownRedirectUri(redirectUri),
    };
  }
  if (code.codeChallenge === undefined) {
    // The client has become public since: a stolen code would need neither secret nor verifier (RFC 9700 §2.1.1).
    const noChallenge: Mismatch = {
      description: 'The authorization request had no code_challenge.',
      rule: 'code_challenge_first',
      expected: 'a code_challenge in the authorization request',
      came: `none; the token request has ${codeVerifier === undefined ? 'no' : 'a'} code_verifier`,
    };
    if (isPublicClient(client)) return noChallenge;
    // RFC 9700 §4.8.2: otherwise an attacker could remove the challenge from the authorization request.
    return codeVerifier === undefined ? undefined : noChallenge;
  }
  return verifierMismatch(code.codeChallenge, codeVerifier);
}

function verifierMismatch(codeChallenge: string, codeVerifier: string | undefined): Mismatch | undefined {
  if (verifierMatches(codeChallenge, codeVerifier)) return undefined;
  return {
    description: 'The code_verifier does not match the code_challenge.',
    reason:
      codeVerifier === undefined
        ? 'The authorization request had a code_challenge, but the token request has no code_verifier.'
        : undefined,
    rule: 'code_verifier',
    expected: `a code_verifier whose S256 challenge begins with ${challengeStart(codeChallenge)}`,
    came: codeVerifier === undefined ? 'no code_verifier' : shownVerifier(codeVerifier),
  };
}

function shownRedirectUri(redirectUri: string | undefined): string {
  return redirectUri === undefined ? 'no redirect_uri' : `redirect_uri ${quotedUrl(redirectUri)}`;
}

function isRegistered(redirectUri: string | undefined, { redirectUris }: Client): boolean {
  return redirectUri === undefined || redirectUris.includes(redirectUri);
}

/** @param came fingerprint of the code, if it can be one of this server */
function invalidCode(rule: ErrorRuleName, reason: string, account?: Identity, came?: string): OAuthError {
  const description = 'The authorization code is not valid.';
  const shown = came === undefined ? {} : { came: `a code with the fingerprint ${came}` };
  return new OAuthError('invalid_grant', { description, reason, rule, account, ...shown });
}

function replayedCode(account: Identity, value: string): OAuthError {
  return new OAuthError('invalid_grant', {
    description: 'The authorization code was redeemed before; everything issued for it is revoked.',
    rule: 'unused_code',
    expected: 'a code that was not redeemed',
    came: `the redeemed code with the fingerprint ${fingerprint(value)}`,
    account,
  });
}
