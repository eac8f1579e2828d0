import { because } from '../../model/errors/rules/error-rules.ts';
import { isPublicClient } from '../../model/records/client.ts';
import { optionalParameter } from '../../rules/parameters.ts';
import {
  type ClientAuthenticationMethod,
  isClient,
  isOfMethod,
  otherMethod,
} from './authentication-method.ts';

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
  whyFailed: (_credentials, caller) =>
    isOfMethod(caller, 'none') || !isClient(caller)
      ? because('confidential_client')
      : otherMethod(caller, 'none'),
};
