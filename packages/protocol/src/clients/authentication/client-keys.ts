import { type JwtExpectations, type JwtRefusal, jwtRefusal, type UnverifiedJwt } from '@watchword/proofs';
import type { Client } from '../../model/records/client.ts';
import type { ClientKeySets, KeySets } from '../../ports/system/key-sets.ts';

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
  const came = (problem: string) => `jwksUri ${problem}`;
  return keySetRefusal(jwt, expectations, { keySets, owner: client, expected: 'keys at the jwksUri', came });
}

interface KeySource<Owner> {
  readonly keySets: KeySets<Owner>;
  readonly owner: Owner;
  readonly expected: string;
  came(problem: string): string;
}

/** The same with keys that are not registered. */
export async function keySetRefusal<Owner>(
  jwt: UnverifiedJwt,
  expectations: JwtExpectations,
  { keySets, owner, expected, came }: KeySource<Owner>,
): Promise<ClientJwtRefusal | undefined> {
  const known = await keySets.read(owner);
  if ('problem' in known) return { rule: 'keys', expected, came: came(known.problem) };
  const refusal = await jwtRefusal(jwt, known, expectations);
  if (refusal?.rule !== 'key') return refusal;
  const newer = await keySets.readAgain(owner);
  return newer === undefined || 'problem' in newer ? refusal : jwtRefusal(jwt, newer, expectations);
}
