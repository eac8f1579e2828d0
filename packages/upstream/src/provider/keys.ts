import { shown } from '@watchword/protocol';
import { compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import { UpstreamError } from '../upstream-error.ts';
import { type AskProvider, jsonObject } from './requests.ts';

/** The keys of a provider (RFC 7517 §5). */
export type ProviderKeys = ReturnType<typeof createLocalJWKSet>;

const maxKeys = 100;

/** @throws UpstreamError `unreachable`, `keys` */
export async function loadKeys(url: string, ask: AskProvider): Promise<ProviderKeys> {
  const { status, text } = await ask(url, { headers: { accept: 'application/json' } });
  if (status !== 200)
    throw new UpstreamError('keys', `jwks_uri of the provider: expected status 200, got ${status}`);
  const keys = jsonObject(text)?.keys;
  if (!Array.isArray(keys) || keys.length > maxKeys) {
    throw new UpstreamError('keys', `jwks_uri of the provider: expected a set of at most ${maxKeys} keys`);
  }
  try {
    return createLocalJWKSet({ keys } as JSONWebKeySet);
  } catch {
    throw new UpstreamError('keys', 'jwks_uri of the provider: expected a set of keys (RFC 7517 §5)');
  }
}

/** A signed token whose signature is right. */
export interface VerifiedToken {
  readonly claims: Readonly<Record<string, unknown>>;
  readonly alg: string;
  readonly typ: string | undefined;
}

/** Whether a newer set of keys can decide otherwise. */
export class KeyMissing extends Error {
  override readonly name = 'KeyMissing';
}

/** @throws KeyMissing, UpstreamError `signature` */
export async function verifyToken(
  token: string,
  keys: ProviderKeys,
  algorithms: readonly string[],
): Promise<VerifiedToken> {
  try {
    const { payload, protectedHeader } = await compactVerify(token, keys, { algorithms: [...algorithms] });
    const claims = jsonObject(new TextDecoder().decode(payload));
    if (claims === undefined) throw new UpstreamError('token', 'expected a JSON object in the token');
    const { alg, typ } = protectedHeader;
    return { claims, alg, typ };
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) throw new KeyMissing();
    // A key without a name can be replaced by another one without a name.
    const { kid, alg } = headerOf(token);
    if (error instanceof errors.JWSSignatureVerificationFailed && kid === undefined) throw new KeyMissing();
    if (!(error instanceof errors.JOSEError)) throw error;
    if (error instanceof errors.JOSEAlgNotAllowed) {
      const came = `expected a signature by ${algorithms.join(' or ')}, got ${shown(String(alg), 50)}`;
      throw new UpstreamError('signature', `${came}; signingAlgorithm names that of this client`);
    }
    throw new UpstreamError('signature', `the signature of the token is not accepted: ${error.code}`);
  }
}

function headerOf(token: string): Readonly<Record<string, unknown>> {
  const [header = ''] = token.split('.', 1);
  return jsonObject(Buffer.from(header, 'base64url').toString()) ?? {};
}
