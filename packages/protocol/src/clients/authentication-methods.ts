import type { ClientAuthenticationMethod } from './authentication-method.ts';
import { clientSecretBasic } from './client-secret-basic.ts';
import { clientSecretPost } from './client-secret-post.ts';
import { none } from './none.ts';

/** All methods that the server knows. A method that needs parts of the server is added where the server is put together. */
export const clientAuthenticationMethods: readonly ClientAuthenticationMethod[] = [
  clientSecretBasic,
  clientSecretPost,
  none,
];
