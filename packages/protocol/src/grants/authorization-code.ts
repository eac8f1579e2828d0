import { timingSafeEqual } from 'node:crypto';
import { OAuthError, type OAuthErrorDetails } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Confirmation } from '../model/records/access-token.ts';
import type { AuthorizationCode } from '../model/records/authorization-code.ts';
import { type Client, isPublicClient, isRevokedWithClient } from '../model/records/client.ts';
import type { Grant } from '../model/records/grant.ts';
import { type Identity, identityOf } from '../model/resource-owner.ts';
import { leftUnder } from '../model/targeted-scope.ts';
import type { IdTokenIssuer } from '../openid/id-token.ts';
import { remainingScopesOf } from '../openid/scopes.ts';
import type {
  AuthorizationCodeStore,
  FoundAuthorizationCode,
} from '../ports/stores/grants/authorization-code-store.ts';
import type { GrantStore } from '../ports/stores/grants/grant-store.ts';
import { isOfConfiguredProvider, type OwnerDependencies } from '../rules/configured-identity-provider.ts';
import { fingerprint } from '../rules/fingerprint.ts';
import { optionalParameter, requiredParameter } from '../rules/parameters.ts';
import { verifierMismatch } from '../rules/pkce.ts';
import type { ProfileChecks } from '../rules/profile-checks.ts';
import { parseBearerValue } from '../tokens/bearer-value.ts';
import { newAccessToken, type TokenMakingDependencies } from '../tokens/issue-access-token.ts';
import { newRefreshToken, type RefreshTokenMaking, refreshConfirmation } from '../tokens/refresh-tokens.ts';
import { keyMismatch } from '../tokens/sender-constraint.ts';
import type { Entitlement, GrantedTokenRequest, GrantType, IssuedTokens } from './grant-type.ts';

export interface AuthorizationCodeDependencies
  extends TokenMakingDependencies,
    RefreshTokenMaking,
    OwnerDependencies {
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly grants: GrantStore;
  readonly issueIdToken: IdTokenIssuer;
  /** Absent: `compatible`. */
  readonly profile?: ProfileChecks | undefined;
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
    rule: 'allowed_code',
    isAllowedFor: (client) => client.redirectUris.length > 0,
    read: (parameters) => ({
      value: requiredParameter(parameters, 'code'),
      redirectUri: optionalParameter(parameters, 'redirect_uri'),
      codeVerifier: optionalParameter(parameters, 'code_verifier'),
    }),
    check: (parameters, client, confirmation) => checkCode(parameters, client, confirmation, deps),
    issue: (granted) => redeemCode(granted, deps),
  };
}

/** What the server must verify of the code and of the parameters with it (RFC 6749 §4.1.3, RFC 7636 §4.6). */
async function checkCode(
  parameters: CodeParameters,
  client: Client,
  confirmation: Confirmation | undefined,
  deps: AuthorizationCodeDependencies,
): Promise<RedeemableCode> {
  const { authorizationCodes, clock } = deps;
  const { value } = parameters;
  const { code, isRedeemed, grant } = await issuedCode(value, client, authorizationCodes);
  if (grant === undefined) throw new OAuthError('invalid_grant', because('active_grant'));
  const owner = identityOf(grant.owner);
  const invalid = (why: OAuthErrorDetails) => new OAuthError('invalid_grant', { ...why, account: owner });
  if (!isOfConfiguredProvider(owner, deps)) throw invalid(because('configured_provider', { of: 'code' }));
  const mismatch = mismatchOf(code, client, parameters) ?? keyMismatch('code', boundTo(code), confirmation);
  if (mismatch !== undefined) {
    await authorizationCodes.recordFailure(code.id);
    throw invalid(mismatch);
  }
  // Of a node, or a time, with another profile.
  const refused = deps.profile?.refusal('code', { hasChallenge: code.codeChallenge !== undefined });
  if (refused !== undefined) throw refused;
  const now = clock.now();
  if (isRedeemed) {
    throw await replayed(value, grant, deps);
  }
  const { expires } = code;
  if (expires <= now) throw invalid(because('code_lifetime', { expires, now }));
  if (isRevokedWithClient(client, code)) throw invalid(because('unrevoked', { of: 'code' }));
  const resourceServer = deps.registry.resourceServerById(client.resourceServerId);
  const left = leftUnder(code.scopes, grant);
  const scopes = remainingScopesOf(left, client, resourceServer, deps.registry);
  return { value, code, grant, owner, scopes };
}

/**
 * The code, if it was issued to this client. The code of another client has the same error as a code that does not exist, and no failure
 * is recorded for it: otherwise any client could use it up.
 */
async function issuedCode(
  value: string,
  client: Client,
  authorizationCodes: AuthorizationCodeStore,
): Promise<FoundAuthorizationCode> {
  const presented = parseBearerValue('code', value);
  if (presented === undefined) throw unknownCode(undefined);
  const found = await authorizationCodes.find(presented.id);
  const isOwn = found?.code.clientRecordId === client.id;
  if (isOwn && timingSafeEqual(found.code.verifierHash, presented.verifierHash)) return found;
  throw unknownCode(fingerprint(value));
}

/** Why the request does not match the authorization request; `undefined` when it does. */
function mismatchOf(
  { redirectUri: asked, codeChallenge }: AuthorizationCode,
  client: Client,
  { redirectUri: sent, codeVerifier }: CodeParameters,
): OAuthErrorDetails | undefined {
  // A client that named no redirect URI had only one, and can name it now.
  const isSame =
    asked === undefined ? sent === undefined || client.redirectUris.includes(sent) : sent === asked;
  if (!isSame) return because('code_redirect_uri', { asked, sent });
  if (codeChallenge !== undefined) {
    const mismatch = verifierMismatch(codeChallenge, codeVerifier);
    return mismatch && because('code_verifier', mismatch);
  }
  // RFC 9700 §4.8.2: otherwise an attacker could remove the challenge from the authorization request. Or the client has become public
  // since: a stolen code would need neither secret nor verifier (RFC 9700 §2.1.1).
  const hasVerifier = codeVerifier !== undefined;
  return hasVerifier || isPublicClient(client) ? because('code_challenge_first', { hasVerifier }) : undefined;
}

async function redeemCode(
  { client, entitlement, scopes, confirmation }: GrantedTokenRequest<RedeemableCode>,
  deps: AuthorizationCodeDependencies,
): Promise<IssuedTokens> {
  const { value, code, grant, scopes: all } = entitlement;
  const { accessToken, accessTokenValue } = await newAccessToken(
    { client, scopes, grant, confirmation },
    deps,
  );
  // This access token can be for some of the resource servers, the next one for others (RFC 8707 §2.2).
  const refresh = client.useRefreshTokens
    ? newRefreshToken(
        client,
        { grantId: grant.id, scopes: all, confirmation: refreshConfirmation(client, confirmation) },
        deps,
      )
    : undefined;
  // Signed before the code is used up, so that the client can ask again when the server cannot sign.
  const idToken = await deps.issueIdToken({
    client,
    grant,
    scopes,
    nonce: code.nonce,
    accessToken: accessTokenValue,
  });
  const now = deps.clock.now();
  const tokens = { accessToken, refreshToken: refresh?.refreshToken };
  if (!(await deps.authorizationCodes.redeem(code.id, tokens, now))) {
    // Another request redeemed the code, or the grant was revoked. One of two holders of a code is an attacker.
    throw await replayed(value, grant, deps);
  }
  return {
    accessToken,
    accessTokenValue,
    refreshTokenValue: refresh?.refreshTokenValue,
    ...(idToken !== undefined && { members: { id_token: idToken } }),
  };
}

function boundTo({ dpopJkt }: AuthorizationCode): Confirmation | undefined {
  return dpopJkt === undefined ? undefined : { jkt: dpopJkt };
}

function unknownCode(shown: string | undefined): OAuthError {
  return new OAuthError('invalid_grant', because('known_code', { fingerprint: shown }));
}

/** Revokes the grant with everything that was issued for it. */
async function replayed(
  value: string,
  { id, owner }: Pick<Grant, 'id' | 'owner'>,
  { grants, clock }: Pick<AuthorizationCodeDependencies, 'grants' | 'clock'>,
): Promise<OAuthError> {
  const revokedGrant = (await grants.revoke(id, clock.now())) ? id : undefined;
  const why = because('unused_code', { fingerprint: fingerprint(value) });
  return new OAuthError('invalid_grant', { ...why, account: identityOf(owner), revokedGrant });
}
