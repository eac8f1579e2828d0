import { timingSafeEqual } from 'node:crypto';
import type { OAuthErrorDetails } from '../model/errors.ts';
import { withHidden } from '../model/hidden-characters.ts';
import { isSlowHash } from '../model/machine-secret.ts';
import { fingerprint } from '../rules/fingerprint.ts';
import { sha256 } from '../rules/sha256.ts';
import { type ClientAuthenticationMethod, isClient, type RegisteredCaller } from './authentication-method.ts';
import { isGeneratedSecret } from './machine-secret.ts';
import type { Presented } from './presented-credentials.ts';
import { registeredMethods } from './registered-methods.ts';

/**
 * Why client authentication failed, for the record owner: the answer to the caller does not say it. Without a reason if the
 * request names no registered caller, or has no credentials.
 *
 * @param caller the record that the credentials name
 * @param accepts whether the endpoint takes the method
 */
export function failedAuthentication(
  presented: Presented | undefined,
  caller: RegisteredCaller | undefined,
  accepts: (method: ClientAuthenticationMethod) => boolean,
): FailedAuthentication {
  if (presented === undefined) {
    return { rule: 'client_credentials', expected: 'identifier and secret', came: 'no credentials' };
  }
  const { method, credentials } = presented;
  if (caller === undefined) return unknownCaller(credentials.id);
  const isPublic = registeredMethods(caller).includes('none');
  if (!accepts(method)) {
    return {
      reason: `The endpoint does not take client authentication by the method ${method.name}.`,
      rule: 'accepted_method',
      came: method.name,
    };
  }
  if (isPublic && method.provesIdentity) {
    return {
      reason:
        'The client is public and has no secret, but the request has one. A public client sends its client_id alone.',
      rule: 'public_client',
      expected: 'client_id alone',
      came: `a secret, by ${method.name}`,
    };
  }
  if (!isPublic && !method.provesIdentity) {
    return {
      reason:
        'The client is confidential, but the request has no secret. Send it by HTTP Basic, or as client_secret in the body.',
      rule: 'confidential_client',
      expected: 'the secret of the client',
      came: 'client_id alone',
    };
  }
  return wrongSecret(credentials.proof, caller);
}

type FailedAuthentication = Pick<OAuthErrorDetails, 'reason' | 'rule' | 'expected' | 'came'>;

function unknownCaller(id: string): FailedAuthentication {
  return id === ''
    ? { rule: 'client_credentials', expected: 'identifier and secret', came: 'malformed credentials' }
    : { rule: 'registered_caller', came: withHidden('an identifier that is not registered', id) };
}

function wrongSecret(proof: string, caller: RegisteredCaller): FailedAuthentication {
  const { secret } = caller;
  const rule = isClient(caller) ? 'client_secret' : 'resource_server_secret';
  if (secret === undefined) {
    return {
      reason: 'The client is confidential, but has no secret. Rotate its secret to give it one.',
      rule: 'issued_secret',
    };
  }
  const { previousHash, previousValidUntil } = secret;
  if (
    previousHash === undefined ||
    isSlowHash(previousHash) ||
    !timingSafeEqual(previousHash, sha256(proof))
  ) {
    return {
      reason: 'The secret is wrong.',
      rule,
      expected: 'the registered secret',
      came: shownSecret(proof),
    };
  }
  const until = new Date(previousValidUntil).toISOString();
  return {
    reason: `The secret is the previous one, which was valid until ${until}.`,
    rule: isClient(caller) ? 'replaced_secret' : rule,
    expected: 'the secret of the last rotation',
    came: `the secret before it, which was valid until ${until}`,
  };
}

/** Only what has the form of a generated secret gets a fingerprint: a person can have chosen any other text. */
function shownSecret(proof: string): string {
  return isGeneratedSecret(proof)
    ? `a secret with the fingerprint ${fingerprint(proof)}`
    : 'a text without the form of a secret that this server makes';
}
