import type { SigningAlgorithm } from '@watchword/protocol';
import type { ServedRequests } from '@watchword/server-testkit/servers/server';
import { decodeProtectedHeader } from 'jose';
import type { Signing } from '../../src/signing/signing.ts';

const claims = { sub: 'emma' };

/** The ids of the published keys. */
export async function kids({ get }: ServedRequests): Promise<string[]> {
  const { keys } = JSON.parse((await get('/oauth2/jwks')).text);
  return keys.map(({ kid }: { kid: string }) => kid);
}

export const sign = ({ signer }: Pick<Signing, 'signer'>, algorithm: SigningAlgorithm = 'ES256') =>
  signer.sign(claims, { algorithm, type: 'JWT' });
export const isAccepted = async (
  { signer }: Pick<Signing, 'signer'>,
  text: string,
  keys: 'published' | 'everSigned' = 'published',
) => (await signer.verify(text, { type: 'JWT', keys })) !== undefined;
export const kidOf = (text: string) => decodeProtectedHeader(text).kid ?? '';
