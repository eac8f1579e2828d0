import type { OidcDependencies } from '../dependencies.ts';
import type { Claims } from '../principal/map-principal.ts';
import { jsonObject } from '../provider/requests.ts';
import { UpstreamError } from '../upstream-error.ts';
import type { PendingLogin } from './begin.ts';
import { checkIdToken, type IdTokenClaims, requireAudience, requireIssuer } from './id-token.ts';
import type { TokenResponse } from './redeem-code.ts';

/** Who has logged in at the provider. */
export interface IdentifiedUser {
  readonly issuer: string;
  readonly login: IdTokenClaims;
  readonly claims: Claims;
}

/** By the ID token and UserInfo. @throws UpstreamError */
export async function openidUser(
  { accessToken, idToken }: TokenResponse,
  pending: PendingLogin,
  deps: OidcDependencies,
): Promise<IdentifiedUser> {
  const { options, provider, services } = deps;
  const token = await provider.verified(idToken);
  const issuer = provider.issuers.expected(token.claims, (await provider.metadata()).issuer);
  const { clientId, trustedAudiences, clockSkew } = options;
  const own = { issuer, clientId, trustedAudiences, clockSkew, now: services.clock.now() };
  const login = checkIdToken(token, { ...own, ...pending, accessToken });
  // The ID token is signed for this login, so it wins.
  const claims = { ...(await userinfo(accessToken, { sub: login.sub, issuer }, deps)), ...token.claims };
  return { issuer, login, claims };
}

/**
 * The claims of the UserInfo endpoint (OpenID Connect Core §5.3), of exactly the user of the ID token. None if the provider has no such
 * endpoint.
 *
 * @throws UpstreamError `unreachable`, `userinfo`, `subject`, and those of a signed answer
 */
async function userinfo(
  accessToken: string,
  { sub, issuer }: { readonly sub: string; readonly issuer: string },
  deps: OidcDependencies,
): Promise<Claims> {
  const { provider } = deps;
  const { userinfoEndpoint } = await provider.metadata();
  if (userinfoEndpoint === undefined) return {};
  const { status, contentType, text } = await provider.ask(userinfoEndpoint, {
    headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
  });
  if (status !== 200) throw new UpstreamError('userinfo', `expected status 200 from UserInfo, got ${status}`);
  const claims =
    contentType === 'application/jwt' ? await signedClaims(text, issuer, deps) : jsonObject(text);
  if (claims === undefined) throw new UpstreamError('userinfo', 'expected a JSON object from UserInfo');
  if (claims.sub === sub) return claims;
  // A mistake or an attack: another user's claims (§5.3.2).
  throw new UpstreamError('subject', 'sub of UserInfo is not that of the ID token');
}

async function signedClaims(
  token: string,
  issuer: string,
  { provider, options }: OidcDependencies,
): Promise<Claims> {
  const { claims } = await provider.verified(token.trim());
  requireIssuer(claims, issuer);
  requireAudience(claims, options);
  return claims;
}
