import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../rules/sha256.ts';
import type { ClientAuthenticationMethod, RegisteredCaller } from './authentication-method.ts';
import type { Presented } from './presented-credentials.ts';
import { registeredMethods } from './registered-methods.ts';

/**
 * Why client authentication failed, for the record owner: the answer to the caller does not say it. `undefined` if the
 * request names no registered caller, or has no credentials.
 *
 * @param caller the record that the credentials name
 * @param accepts whether the endpoint takes the method
 */
export function failedAuthenticationReason(
  presented: Presented | undefined,
  caller: RegisteredCaller | undefined,
  accepts: (method: ClientAuthenticationMethod) => boolean,
): string | undefined {
  if (presented === undefined || caller === undefined) return undefined;
  const { method, credentials } = presented;
  const isPublic = registeredMethods(caller).includes('none');
  if (!accepts(method))
    return `The endpoint does not take client authentication by the method ${method.name}.`;
  if (isPublic && method.provesIdentity) {
    return 'The client is public and has no secret, but the request has one. A public client sends its client_id alone.';
  }
  if (!isPublic && !method.provesIdentity) {
    return 'The client is confidential, but the request has no secret. Send it by HTTP Basic, or as client_secret in the body.';
  }
  return reasonOfSecret(credentials.proof, caller);
}

function reasonOfSecret(proof: string, { secret }: RegisteredCaller): string {
  if (secret === undefined) {
    return 'The client is confidential, but has no secret. Rotate its secret to give it one.';
  }
  const { previousHash, previousValidUntil } = secret;
  if (previousHash === undefined || !timingSafeEqual(previousHash, sha256(proof)))
    return 'The secret is wrong.';
  return `The secret is the previous one, which was valid until ${new Date(previousValidUntil).toISOString()}.`;
}
