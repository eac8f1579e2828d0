import { isPublicClient } from '../model/client.ts';
import { optionalParameter } from '../rules/parameters.ts';
import { type ClientAuthenticationMethod, isClient } from './authentication-method.ts';

/** A public client sends its `client_id` without a proof (RFC 6749 §3.2.1, RFC 7591 §2). */
export const none: ClientAuthenticationMethod = {
  name: 'none',
  provesIdentity: false,
  read({ parameters }) {
    const id = optionalParameter(parameters, 'client_id');
    return id === undefined ? undefined : { id, proof: '' };
  },
  isRegisteredFor: (caller) => isClient(caller) && isPublicClient(caller),
  verify: (_credentials, caller) => caller !== undefined,
  whyFailed: () => ({
    reason:
      'The client is confidential, but the request has no secret. Send it by HTTP Basic, or as client_secret in the body.',
    rule: 'confidential_client',
    expected: 'the secret of the client',
    came: 'client_id alone',
  }),
};
