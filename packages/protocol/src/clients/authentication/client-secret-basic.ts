import { isUtf8 } from 'node:buffer';
import type { RequestHead } from '../../model/request-head.ts';
import { decodeFormComponent } from '../../rules/parameters.ts';
import {
  type ClientAuthenticationMethod,
  malformedCredentials,
  type PresentedCredentials,
} from './authentication-method.ts';
import { bySecret, type SecretDependencies } from './by-secret.ts';

const name = 'client_secret_basic';

/** Identifier and secret by HTTP Basic (RFC 6749 §2.3.1). */
export function clientSecretBasic(deps: SecretDependencies): ClientAuthenticationMethod {
  return { ...bySecret(name, deps), read: basicCredentials };
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

// RFC 7617 §2: scheme, one space or more, base64 of `id:secret`. The scheme is case-insensitive.
const headerPattern = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/**
 * Reads identifier and secret from an `Authorization` header of HTTP Basic, where both are form-urlencoded
 * (RFC 6749 §2.3.1). The secret can be empty. `undefined` for any other scheme and for a malformed header.
 */
export function parseBasicCredentials(header: string): PresentedCredentials | undefined {
  const encoded = headerPattern.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  const colon = text.indexOf(':');
  if (colon === -1) return undefined;
  const id = decodeFormComponent(text.slice(0, colon));
  const proof = decodeFormComponent(text.slice(colon + 1));
  if (!id || proof === undefined) return undefined;
  return { id, proof };
}
