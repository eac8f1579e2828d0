import { assertionIssuer } from './assertion-issuer.ts';
import type { ClientAuthenticationMethod } from './authentication-method.ts';
import type { SecretDependencies } from './by-secret.ts';
import { clientSecretBasic } from './client-secret-basic.ts';
import { clientSecretPost } from './client-secret-post.ts';
import { none } from './none.ts';
import { type AssertionDependencies, privateKeyJwt } from './private-key-jwt.ts';

/** What methods need of the server. */
export interface AuthenticationMethodDependencies extends AssertionDependencies, SecretDependencies {}

/** All methods that the server knows. */
export function clientAuthenticationMethods(
  deps: AuthenticationMethodDependencies,
): readonly ClientAuthenticationMethod[] {
  const bySecret = [clientSecretBasic(deps), clientSecretPost(deps)];
  return [...bySecret, privateKeyJwt(deps), assertionIssuer(deps), none];
}
