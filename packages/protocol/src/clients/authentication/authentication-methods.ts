import { assertionIssuer } from './assertion-issuer.ts';
import type { ClientAuthenticationMethod, SlowSecrets } from './authentication-method.ts';
import { clientSecretBasic } from './client-secret-basic.ts';
import { clientSecretPost } from './client-secret-post.ts';
import { none } from './none.ts';
import { type AssertionDependencies, privateKeyJwt } from './private-key-jwt.ts';

/** What methods need of the server. */
export interface AuthenticationMethodDependencies extends AssertionDependencies {
  readonly slowSecrets: SlowSecrets;
}

/** All methods that the server knows. */
export function clientAuthenticationMethods(
  deps: AuthenticationMethodDependencies,
): readonly ClientAuthenticationMethod[] {
  const { slowSecrets } = deps;
  const bySecret = [clientSecretBasic(slowSecrets), clientSecretPost(slowSecrets)];
  return [...bySecret, privateKeyJwt(deps), assertionIssuer(deps), none];
}
