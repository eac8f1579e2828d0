import { optionalParameter } from '../rules/parameters.ts';
import type { ClientAuthenticationMethod } from './authentication-method.ts';

/** A public client sends its `client_id` without a proof (RFC 6749 §3.2.1, RFC 7591 §2). */
export const none: ClientAuthenticationMethod = {
  name: 'none',
  provesIdentity: false,
  read({ parameters }) {
    const id = optionalParameter(parameters, 'client_id');
    return id === undefined ? undefined : { id, proof: '' };
  },
  verify: (_credentials, caller) => caller !== undefined,
};
