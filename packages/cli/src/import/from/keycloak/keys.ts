import { createPublicKey } from 'node:crypto';
import type { JsonObject } from '@watchword/protocol';
import type { ForeignKeys } from '../client-keys.ts';
import { objectOf, textOf } from '../json-values.ts';

/** The keys of a client with "Signed Jwt", in the order in which Keycloak looks for them (ClientPublicKeyLoader, CertificateInfoHelper). */
export function keysOf({ attributes: given, rootUrl }: JsonObject): ForeignKeys {
  const attributes = objectOf(given);
  const text = (name: string) => textOf(attributes[name]);
  const algorithm = text('token.endpoint.auth.signing.alg');
  const url = text('jwks.url');
  if (text('use.jwks.url') === 'true')
    return { jwks: undefined, jwksUri: url.startsWith('/') ? textOf(rootUrl) + url : url, algorithm };
  if (text('use.jwks.string') === 'true')
    return { jwks: parsed(text('jwks.string')), jwksUri: '', algorithm };
  const kid = text('jwt.credential.kid');
  const key =
    jwkOf('CERTIFICATE', text('jwt.credential.certificate')) ??
    jwkOf('PUBLIC KEY', text('jwt.credential.public.key'));
  const jwks = key && { keys: [{ ...key, ...(kid !== '' && { kid }) }] };
  return { jwks, jwksUri: '', algorithm };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param text base64, with or without the lines of PEM around it */
function jwkOf(kind: 'CERTIFICATE' | 'PUBLIC KEY', text: string): object | undefined {
  const body = text.replaceAll(/-----[A-Z ]+-----|\s/g, '');
  if (body === '') return undefined;
  try {
    return createPublicKey(`-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----`).export({
      format: 'jwk',
    });
  } catch {
    return undefined;
  }
}
