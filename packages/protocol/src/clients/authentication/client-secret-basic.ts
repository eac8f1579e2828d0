import type { RequestHead } from '../../model/request-head.ts';
import {
  type ClientAuthenticationMethod,
  malformedCredentials,
  type PresentedCredentials,
  type SlowSecrets,
} from './authentication-method.ts';
import { parseBasicCredentials } from './basic-credentials.ts';
import { bySecret } from './by-secret.ts';

const name = 'client_secret_basic';

/** Identifier and secret by HTTP Basic (RFC 6749 §2.3.1). */
export function clientSecretBasic(slow: SlowSecrets): ClientAuthenticationMethod {
  return { ...bySecret(name, slow), read: basicCredentials };
}

/** The credentials of a request by HTTP Basic. An `Authorization` header of another scheme is malformed. */
export function basicCredentials({
  headers: { authorization },
}: Pick<RequestHead, 'headers'>): PresentedCredentials | undefined {
  if (authorization === undefined) return undefined;
  return parseBasicCredentials(authorization) ?? malformedCredentials;
}

export function isClientSecretBasic(method: ClientAuthenticationMethod): boolean {
  return method.name === name;
}
