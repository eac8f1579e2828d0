import type { OidcDependencies } from '../dependencies.ts';
import { jsonObject } from '../provider/requests.ts';
import { UpstreamError } from '../upstream-error.ts';
import { requireAudience, requireIssuer } from './id-token.ts';

type Claims = Readonly<Record<string, unknown>>;

/**
 * The claims of the UserInfo endpoint (OpenID Connect Core §5.3), of exactly the user of the ID token. None if the provider has no such
 * endpoint.
 *
 * @throws UpstreamError `unreachable`, `userinfo`, `subject`, and those of a signed answer
 */
export async function userinfo(
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
