import { optionalParameter } from '../../rules/parameters.ts';
import { type ClientAuthenticationMethod, malformedCredentials } from './authentication-method.ts';
import { bySecret, type SecretDependencies } from './by-secret.ts';

/** Identifier and secret as parameters of the body (RFC 6749 §2.3.1). */
export function clientSecretPost(deps: SecretDependencies): ClientAuthenticationMethod {
  return {
    ...bySecret('client_secret_post', deps),
    read({ parameters }) {
      const proof = optionalParameter(parameters, 'client_secret');
      if (proof === undefined) return undefined;
      const id = optionalParameter(parameters, 'client_id');
      return id === undefined ? malformedCredentials : { id, proof };
    },
  };
}
