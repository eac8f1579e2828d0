import { OAuthError, type OAuthErrorDetails } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Confirmation } from '../model/records/access-token.ts';
import { type Client, isPublicClient, isRevokedWithClient } from '../model/records/client.ts';
import type { Grant } from '../model/records/grant.ts';
import type { RefreshToken } from '../model/records/refresh-token.ts';
import { type Identity, identityOf } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';
import { leftUnder, namesOf } from '../model/targeted-scope.ts';
import type { IdTokenIssuer } from '../openid/id-token.ts';
import { remainingScopesOf } from '../openid/scopes.ts';
import type { GrantStore } from '../ports/stores/grants/grant-store.ts';
import type {
  FoundRefreshToken,
  RefreshTokenStore,
  Rotation,
} from '../ports/stores/grants/refresh-token-store.ts';
import { isOfConfiguredProvider, type OwnerDependencies } from '../rules/configured-identity-provider.ts';
import { fingerprint } from '../rules/fingerprint.ts';
import { requiredParameter } from '../rules/parameters.ts';
import type { ProfileChecks } from '../rules/profile-checks.ts';
import { remainingScopes } from '../rules/scope.ts';
import { parseBearerValue } from '../tokens/bearer-value.ts';
import { findRefreshToken } from '../tokens/find-refresh-token.ts';
import { newAccessToken, type TokenMakingDependencies } from '../tokens/issue-access-token.ts';
import {
  newRefreshToken,
  openAnswer,
  type RefreshTokenMaking,
  refreshConfirmation,
  sealAnswer,
} from '../tokens/refresh-tokens.ts';
import { keyMismatch } from '../tokens/sender-constraint.ts';
import type { Entitlement, GrantedTokenRequest, GrantType, IssuedTokens } from './grant-type.ts';

export interface RefreshTokenDependencies
  extends TokenMakingDependencies,
    RefreshTokenMaking,
    OwnerDependencies {
  readonly refreshTokens: RefreshTokenStore;
  readonly grants: GrantStore;
  readonly issueIdToken: IdTokenIssuer;
  /** Seconds within which a confidential client that lost the answer gets the same answer again; 0 = never. */
  readonly refreshGrace: number;
  /** The same for a public client, whose token a thief can use without a secret. */
  readonly publicRefreshGrace: number;
  /** The repetition in so many repeated rotations in a row revokes the grant; 0 = no repetition does. */
  readonly refreshGraceStreak: number;
  /** Absent: `compatible`. */
  readonly profile?: ProfileChecks | undefined;
}

/** A refresh token that the client can use, or whose answer it can have again. */
interface UsableToken extends Entitlement {
  readonly value: string;
  readonly token: RefreshToken;
  readonly grant: Grant;
  readonly owner: Identity;
  /** The answer to the rotation, when the token was used before. */
  readonly answer?: IssuedTokens;
}

/** Seconds: no setting of a grace is longer. */
export const maxRefreshGrace = 300;

const maxRepetitions = 2;

/**
 * The client exchanges its refresh token for a new pair of tokens (RFC 6749 §6). A refresh token can be used once (RFC 9700
 * §4.14.2).
 *
 * A client whose connection broke asks again with the old token. Within the grace, and while the new token is unused, it
 * gets the same answer again, at most twice. A client that repeats rotation after rotation shares its tokens with an
 * attacker. Such a repetition, and any other use of a used token, revokes the grant. So a grant never has two valid token
 * families.
 */
export function refreshTokenGrant(deps: RefreshTokenDependencies): GrantType<string, UsableToken> {
  const check = (value: string, client: Client, confirmation: Confirmation | undefined) =>
    checkToken(value, client, confirmation, deps);
  return {
    type: 'refresh_token',
    takesScope: true,
    rule: 'allowed_refresh_tokens',
    isAllowedFor: (client) => client.useRefreshTokens,
    read: (parameters) => requiredParameter(parameters, 'refresh_token'),
    check,
    async issue(granted) {
      const { client, entitlement, confirmation } = granted;
      if (entitlement.answer !== undefined) return repeatAnswer(entitlement, granted, deps);
      if (deps.profile?.keepsRefreshTokens && !isPublicClient(client)) return keep(granted, deps);
      const answer = await rotate(granted, deps);
      // If the token was not rotated, another request with the same token was faster, or the grant was revoked.
      return answer ?? repeatAnswer(await check(entitlement.value, client, confirmation), granted, deps);
    },
  };
}

async function checkToken(
  value: string,
  client: Client,
  confirmation: Confirmation | undefined,
  deps: RefreshTokenDependencies,
): Promise<UsableToken> {
  const found = await findRefreshToken(value, deps.refreshTokens);
  const { token, rotation, grant } = usableToken(value, found, client, deps);
  const owner = identityOf(grant.owner);
  // Before anything that a used token ends: who has the text alone, and not the key, can end nothing.
  const mismatch = keyMismatch('refresh token', token.confirmation, confirmation);
  if (mismatch !== undefined) throw invalidToken(mismatch, owner);
  const resourceServer = deps.registry.resourceServerById(client.resourceServerId);
  const left = leftUnder(token.scopes, grant);
  const remaining = remainingScopesOf(left, client, resourceServer, deps.registry);
  const usable = { value, token, grant, owner };
  if (rotation === undefined) return { ...usable, scopes: remaining };
  const { sealedAnswer } = rotation;
  // A clock that went back does not give a cleared answer a grace again.
  if (sealedAnswer === undefined || !isInGrace(rotation, client, deps))
    throw await replayedToken(usable, deps);
  const answer = openAnswer(value, sealedAnswer) as IssuedTokens | undefined;
  if (answer === undefined) throw invalidToken(usedToken(value, 'nothing'), owner);
  // A scope that the client lost after the answer can still be requested, because the answer has it.
  const scopes = remainingScopes(token.scopes, [...remaining, ...answer.accessToken.scopes]);
  return { ...usable, scopes, answer };
}

/** @throws OAuthError `invalid_grant`, which does not reveal anything about the token */
function usableToken(
  value: string,
  found: FoundRefreshToken | undefined,
  client: Client,
  deps: RefreshTokenDependencies,
): FoundRefreshToken {
  if (found === undefined) throw invalidToken(unknownToken(value));
  const why = unusableReason(value, found, client, deps);
  if (why !== undefined) throw invalidToken(why, identityOf(found.grant.owner));
  return found;
}

function unknownToken(value: string) {
  return because('known_refresh_token', shownToken(value));
}

function usedToken(value: string, then: 'nothing' | 'too often' | 'revoked') {
  return because('unused_refresh_token', { ...shownToken(value), then });
}

/** The parameter can have any text, and only a token of this server gets a fingerprint. */
function shownToken(value: string) {
  const isOfServer = parseBearerValue('refresh', value) !== undefined;
  return { fingerprint: isOfServer ? fingerprint(value) : undefined };
}

/** `undefined` if the client can use the token, or could before it was rotated. */
export function unusableReason(
  value: string,
  { token, grant }: FoundRefreshToken,
  client: Client,
  deps: Pick<RefreshTokenDependencies, 'clock' | keyof OwnerDependencies>,
): OAuthErrorDetails | undefined {
  if (token.clientRecordId !== client.id) return unknownToken(value);
  const now = deps.clock.now();
  const { expires } = token;
  if (expires <= now) return because('refresh_token_lifetime', { expires, now });
  if (isRevokedWithClient(client, token, grant)) return because('unrevoked', { of: 'refresh token' });
  if (isOfConfiguredProvider(identityOf(grant.owner), deps)) return undefined;
  return because('configured_provider', { of: 'refresh token' });
}

function isInGrace(
  { at, successorIsRotated }: Rotation,
  client: Client,
  { clock, publicRefreshGrace, refreshGrace }: RefreshTokenDependencies,
): boolean {
  const grace = isPublicClient(client) ? publicRefreshGrace : refreshGrace;
  return !successorIsRotated && Math.abs(clock.now() - at) < grace * 1000;
}

/** `undefined` when the token was rotated before or its grant is revoked. */
async function rotate(
  { client, entitlement: { value, token, grant }, scopes, confirmation }: GrantedTokenRequest<UsableToken>,
  deps: RefreshTokenDependencies,
): Promise<IssuedTokens | undefined> {
  const { refreshTokens, clock, random } = deps;
  const made = newAccessToken({ client, scopes, grant, confirmation }, deps);
  const { accessToken, accessTokenValue } = made instanceof Promise ? await made : made;
  const { refreshToken, refreshTokenValue } = newRefreshToken(
    client,
    { ...token, confirmation: token.confirmation ?? refreshConfirmation(client, confirmation) },
    deps,
  );
  // Signed before the refresh token is used up. Without a nonce: no authorization request belongs to it (OpenID Connect Core §12.2).
  const signed = deps.issueIdToken({ client, grant, scopes, accessToken: accessTokenValue });
  const idToken = signed && (await signed);
  const { expires, creationDate } = accessToken;
  const answer = {
    accessToken: { scopes, expires, creationDate, confirmation },
    accessTokenValue,
    refreshTokenValue,
    ...(idToken !== undefined && { members: { id_token: idToken } }),
  };
  const sealedAnswer = sealAnswer(value, answer, random);
  const tokens = { accessToken, refreshToken };
  return (await refreshTokens.rotate(token.id, tokens, sealedAnswer, clock.now())) ? answer : undefined;
}

/** The client keeps its refresh token: the answer has none, and the time without use begins again. */
async function keep(
  {
    client,
    entitlement: { value, token, grant, owner },
    scopes,
    confirmation,
  }: GrantedTokenRequest<UsableToken>,
  deps: RefreshTokenDependencies,
): Promise<IssuedTokens> {
  const { refreshTokens, clock, refreshIdleLifetime } = deps;
  const made = await newAccessToken({ client, scopes, grant, confirmation }, deps);
  const { accessToken, accessTokenValue } = made;
  const idToken = await deps.issueIdToken({ client, grant, scopes, accessToken: accessTokenValue });
  const now = clock.now();
  const expires = Math.min(now + refreshIdleLifetime * 1000, token.absoluteExpires);
  if (!(await refreshTokens.use(token.id, accessToken, expires, now)))
    throw invalidToken(usedToken(value, 'nothing'), owner);
  return { accessToken, accessTokenValue, ...(idToken !== undefined && { members: { id_token: idToken } }) };
}

async function repeatAnswer(
  usable: UsableToken,
  { scopes, confirmation }: Pick<GrantedTokenRequest<UsableToken>, 'scopes' | 'confirmation'>,
  deps: RefreshTokenDependencies,
): Promise<IssuedTokens> {
  const { token, owner: account, answer, value } = usable;
  if (answer === undefined) throw invalidToken(usedToken(value, 'nothing'), account);
  const { scopes: answered, confirmation: bound } = answer.accessToken;
  const mismatch =
    keyMismatch('first answer', bound, confirmation) ?? keyMismatch('first answer', confirmation, bound);
  if (mismatch !== undefined) throw invalidToken(mismatch, account);
  if (!areSame(scopes, answered)) {
    const why = because('same_scope_again', { answered: namesOf(answered), requested: namesOf(scopes) });
    throw new OAuthError('invalid_scope', { ...why, account });
  }
  const limits = { repetitions: maxRepetitions, streak: deps.refreshGraceStreak };
  switch (await deps.refreshTokens.repeatRotation(token.id, limits)) {
    case 'answered':
      return answer;
    case 'exhausted':
      throw invalidToken(usedToken(value, 'too often'), account);
    case 'streak':
    case 'used':
      throw await replayedToken(usable, deps);
  }
}

function areSame(a: Scopes, b: Scopes): boolean {
  return a.length === b.length && a.every((scope) => b.includes(scope));
}

function invalidToken(why: OAuthErrorDetails, account?: Identity): OAuthError {
  return new OAuthError('invalid_grant', { ...why, account });
}

/** Revokes the grant with everything that was issued for it. */
async function replayedToken(
  { token, owner, value }: Pick<UsableToken, 'token' | 'owner' | 'value'>,
  { grants, clock }: RefreshTokenDependencies,
): Promise<OAuthError> {
  const revokedGrant = (await grants.revoke(token.grantId, clock.now())) ? token.grantId : undefined;
  return invalidToken({ ...usedToken(value, 'revoked'), revokedGrant }, owner);
}
