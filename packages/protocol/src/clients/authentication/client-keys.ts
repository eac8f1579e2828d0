import { type JwtExpectations, type JwtRefusal, jwtRefusal, type UnverifiedJwt } from '@watchword/proofs';
import type { Client } from '../../model/records/client.ts';
import type { ClientKeySets } from '../../ports/system/client-key-sets.ts';

/** Why a JWT is none that the client signed for this server now. `keys`: those of its URL cannot be read. */
export type ClientJwtRefusal = JwtRefusal | (Omit<JwtRefusal, 'rule'> & { readonly rule: 'keys' });

/**
 * Verifies a JWT with the registered keys of a client. For a key that is not known, those at its URL are read again.
 *
 * @returns `undefined` if the JWT is as expected
 */
export async function clientJwtRefusal(
  client: Pick<Client, 'clientId' | 'jwks' | 'jwksUri'>,
  jwt: UnverifiedJwt,
  expectations: JwtExpectations,
  keySets: ClientKeySets,
): Promise<ClientJwtRefusal | undefined> {
  if (client.jwksUri === '') return jwtRefusal(jwt, client.jwks, expectations);
  const known = await keySets.read(client);
  if ('problem' in known)
    return { rule: 'keys', expected: 'keys at the jwksUri', came: `jwksUri ${known.problem}` };
  const refusal = await jwtRefusal(jwt, known, expectations);
  if (refusal?.rule !== 'key') return refusal;
  const newer = await keySets.readAgain(client);
  return newer === undefined || 'problem' in newer ? refusal : jwtRefusal(jwt, newer, expectations);
}
