import { OAuthError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { AuthorizationParameters } from '../parameters.ts';

// Octets after decoding, names included. So much fits into the cookies in which a login at another server waits
// (`waitingLimits`), and into an address.
const maxRequestOctets = 6000;
const maxOctets = { state: 4096, nonce: 512, id_token_hint: 16_384 };
// No cookie has it, but the subject that it names. An ID token with the groups of a user is large.
const countedApart = 'id_token_hint';

/** Why the request is too large; `undefined` when it is not. */
export function oversizeError(parameters: AuthorizationParameters): OAuthError | undefined {
  for (const [name, most] of Object.entries(maxOctets)) {
    for (const value of parameters.get(name) ?? []) {
      if (Buffer.byteLength(value) > most) {
        return new OAuthError('invalid_request', because('request_size', { name, most }));
      }
    }
  }
  let octets = 0;
  for (const [name, values] of parameters) {
    if (name === countedApart) continue;
    for (const value of values) octets += Buffer.byteLength(name) + Buffer.byteLength(value);
  }
  if (octets <= maxRequestOctets) return undefined;
  const facts = { without: countedApart, most: maxRequestOctets };
  return new OAuthError('invalid_request', because('request_size', facts));
}
