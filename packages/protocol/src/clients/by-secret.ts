import { timingSafeEqual } from 'node:crypto';
import { isPublicClient } from '../model/client.ts';
import { isSlowHash } from '../model/machine-secret.ts';
import { fingerprint } from '../rules/fingerprint.ts';
import { sha256 } from '../rules/sha256.ts';
import {
  type ClientAuthenticationMethod,
  type FailedAuthentication,
  isClient,
  type RegisteredCaller,
} from './authentication-method.ts';
import { isGeneratedSecret, secretMatches } from './machine-secret.ts';

/** A method that proves the identity of a caller by its secret: all of it but where a request has the secret. */
export function bySecret<Name extends string>(name: Name) {
  return {
    name,
    provesIdentity: true,
    isRegisteredFor: (caller) => !isPublic(caller),
    verify: ({ proof }, caller, _request, now, slow) => secretMatches(caller?.secret, proof, now, slow),
    verifySlowly: ({ proof }, caller, { source }, now, slow) => slow.matches(caller, proof, source, now),
    whyFailed: ({ proof }, caller) => (isPublic(caller) ? needlessSecret(name) : wrongSecret(proof, caller)),
  } satisfies Omit<ClientAuthenticationMethod, 'read'>;
}

function isPublic(caller: RegisteredCaller): boolean {
  return isClient(caller) && isPublicClient(caller);
}

function needlessSecret(method: string): FailedAuthentication {
  return {
    reason:
      'The client is public and has no secret, but the request has one. A public client sends its client_id alone.',
    rule: 'public_client',
    expected: 'client_id alone',
    came: `a secret, by ${method}`,
  };
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
