import { timingSafeEqual } from 'node:crypto';
import type { ClientSecret } from '../../model/client-secret.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import { isSlowHash } from '../../model/machine-secret.ts';
import { isPublicClient } from '../../model/records/client.ts';
import type { RequestHead } from '../../model/request-head.ts';
import type { SecretUses } from '../../ports/system/secret-uses.ts';
import { fingerprint } from '../../rules/fingerprint.ts';
import { sha256 } from '../../rules/sha256.ts';
import {
  type ClientAuthenticationMethod,
  type FailedAuthentication,
  isClient,
  isOfMethod,
  otherMethod,
  type PresentedCredentials,
  type RegisteredCaller,
  type SlowSecrets,
} from './authentication-method.ts';
import { secretsOf } from './client-secrets.ts';
import { isGeneratedSecret, matchingSecret } from './machine-secret.ts';

/** A method that proves the identity of a caller by its secret: all of it but where a request has the secret. */
export function bySecret(name: SecretMethod, { slowSecrets: slow, secretUses }: SecretDependencies) {
  const isRegisteredFor = (caller: RegisteredCaller) => !isPublic(caller) && isOfMethod(caller, name);
  const verify = (
    { proof }: PresentedCredentials,
    caller: RegisteredCaller | undefined,
    _request: RequestHead,
    now: number,
  ) => {
    const id = matchingSecret(caller?.secret, proof, now, slow);
    if (id !== undefined && caller !== undefined && isClient(caller) && isRegisteredFor(caller))
      secretUses?.secretUsed(caller.id, id, now);
    return id !== undefined;
  };
  return {
    name,
    provesIdentity: true,
    isRegisteredFor,
    verify,
    verifySlowly: (credentials, caller, request, now) =>
      slow
        .matches(caller, credentials.proof, request.source, now)
        // From now on it is remembered.
        ?.then((isSame) => isSame && verify(credentials, caller, request, now)),
    whyFailed({ proof }, caller) {
      if (isPublic(caller)) return because('public_client', { method: name });
      return isOfMethod(caller, name) ? wrongSecret(proof, caller) : otherMethod(caller, name);
    },
  } satisfies Omit<ClientAuthenticationMethod, 'read'>;
}

export interface SecretDependencies {
  readonly slowSecrets: SlowSecrets;
  /** Absent: nobody wants to know which secrets are used. */
  readonly secretUses?: SecretUses | undefined;
}

type SecretMethod = 'client_secret_basic' | 'client_secret_post';

function isPublic(caller: RegisteredCaller): boolean {
  return isClient(caller) && isPublicClient(caller);
}

function wrongSecret(proof: string, caller: RegisteredCaller): FailedAuthentication {
  const { secret } = caller;
  if (secret === undefined) return because('issued_secret');
  // Once: the time must not show how many secrets there are.
  const digest = sha256(proof);
  const isOf = ({ hash }: Pick<ClientSecret, 'hash'>) => !isSlowHash(hash) && timingSafeEqual(hash, digest);
  const secrets = secretsOf(secret);
  const found = secrets.find((each) => each.expires !== 0 && isOf(each));
  if (found === undefined) {
    const came = { shown: shownSecret(proof) };
    return isClient(caller) ? because('client_secret', came) : because('resource_server_secret', came);
  }
  const until = { validUntil: found.expires };
  if (!isClient(caller)) return because('resource_server_secret', until);
  const isReplaced = secrets.some(({ id }) => id > found.id);
  return isReplaced ? because('replaced_secret', until) : because('expired_secret', found);
}

/** Only what has the form of a generated secret gets a fingerprint: a person can have chosen any other text. */
function shownSecret(proof: string): string {
  return isGeneratedSecret(proof)
    ? `a secret with the fingerprint ${fingerprint(proof)}`
    : 'a text without the form of a secret that this server makes';
}
