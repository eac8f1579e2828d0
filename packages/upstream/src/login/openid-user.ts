import type { OidcDependencies } from '../dependencies.ts';
import type { Claims } from '../principal/map-principal.ts';
import type { PendingLogin } from './begin.ts';
import { checkIdToken, type IdTokenClaims } from './id-token.ts';
import type { TokenResponse } from './redeem-code.ts';
import { userinfo } from './userinfo.ts';

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
