import { timingSafeEqual } from 'node:crypto';
import { because } from '../../model/errors/rules/error-rules.ts';
import { isSlowHash } from '../../model/machine-secret.ts';
import { isPublicClient } from '../../model/records/client.ts';
import { fingerprint } from '../../rules/fingerprint.ts';
import { sha256 } from '../../rules/sha256.ts';
import {
  type ClientAuthenticationMethod,
  type FailedAuthentication,
  isClient,
  isOfMethod,
  otherMethod,
  type RegisteredCaller,
  type SlowSecrets,
} from './authentication-method.ts';
import { isGeneratedSecret, secretMatches } from './machine-secret.ts';

/** A method that proves the identity of a caller by its secret: all of it but where a request has the secret. */
export function bySecret(name: SecretMethod, slow: SlowSecrets) {
  return {
    name,
    provesIdentity: true,
    isRegisteredFor: (caller) => !isPublic(caller) && isOfMethod(caller, name),
    verify: ({ proof }, caller, _request, now) => secretMatches(caller?.secret, proof, now, slow),
    verifySlowly: ({ proof }, caller, { source }, now) => slow.matches(caller, proof, source, now),
    whyFailed({ proof }, caller) {
      if (isPublic(caller)) return because('public_client', { method: name });
      return isOfMethod(caller, name) ? wrongSecret(proof, caller) : otherMethod(caller, name);
    },
  } satisfies Omit<ClientAuthenticationMethod, 'read'>;
}

type SecretMethod = 'client_secret_basic' | 'client_secret_post';

function isPublic(caller: RegisteredCaller): boolean {
  return isClient(caller) && isPublicClient(caller);
}

function wrongSecret(proof: string, caller: RegisteredCaller): FailedAuthentication {
  const { secret } = caller;
  if (secret === undefined) return because('issued_secret');
  const { previousHash, previousValidUntil: validUntil } = secret;
  const isPrevious =
    previousHash !== undefined && !isSlowHash(previousHash) && timingSafeEqual(previousHash, sha256(proof));
  if (isPrevious)
    return because(isClient(caller) ? 'replaced_secret' : 'resource_server_secret', { validUntil });
  return because(isClient(caller) ? 'client_secret' : 'resource_server_secret', {
    shown: shownSecret(proof),
  });
}

/** Only what has the form of a generated secret gets a fingerprint: a person can have chosen any other text. */
function shownSecret(proof: string): string {
  return isGeneratedSecret(proof)
    ? `a secret with the fingerprint ${fingerprint(proof)}`
    : 'a text without the form of a secret that this server makes';
}
