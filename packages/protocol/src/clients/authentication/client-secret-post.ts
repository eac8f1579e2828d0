import { optionalParameter } from '../../rules/parameters.ts';
import {
  type ClientAuthenticationMethod,
  malformedCredentials,
  type SlowSecrets,
} from './authentication-method.ts';
import { bySecret } from './by-secret.ts';

/** Identifier and secret as parameters of the body (RFC 6749 §2.3.1). */
export function clientSecretPost(slow: SlowSecrets): ClientAuthenticationMethod {
  return {
    ...bySecret('client_secret_post', slow),
    read({ parameters }) {
      const proof = optionalParameter(parameters, 'client_secret');
      if (proof === undefined) return undefined;
      const id = optionalParameter(parameters, 'client_id');
      return id === undefined ? malformedCredentials : { id, proof };
    },
  };
}
