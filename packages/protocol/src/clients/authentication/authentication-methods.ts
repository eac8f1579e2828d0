import type { ClientAuthenticationMethod, SlowSecrets } from './authentication-method.ts';
import { clientSecretBasic } from './client-secret-basic.ts';
import { clientSecretPost } from './client-secret-post.ts';
import { none } from './none.ts';

/** What methods need of the server. */
export interface AuthenticationMethodDependencies {
  readonly slowSecrets: SlowSecrets;
}

/** All methods that the server knows. */
export function clientAuthenticationMethods({
  slowSecrets,
}: AuthenticationMethodDependencies): readonly ClientAuthenticationMethod[] {
  return [clientSecretBasic(slowSecrets), clientSecretPost(slowSecrets), none];
}
