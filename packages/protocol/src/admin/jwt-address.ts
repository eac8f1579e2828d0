import type { Sealer } from '../keys/key-ring.ts';
import type { AccessToken } from '../model/access-token.ts';
import type { PresentedAccessToken } from '../ports/access-token-store.ts';
import type { IssuedToken } from './records.ts';

/** What the text of a JWT says. */
type AddressedJwt = Omit<PresentedAccessToken, 'grant'>;

const purpose = 'id of a JWT';

/**
 * The id of a JWT in the administration interface: `jti`, a dot, and what the JWT says, sealed. No row has that. So the id shows that the
 * caller has seen the token, and whose it is. It can be used for a day at least, as long as a JWT can be valid.
 */
export function jwtAddress(
  { id, client, grant, scopes, expires, creationDate }: IssuedToken,
  sealer: Sealer,
): string {
  const said = { clientRecordId: client.id, grantId: grant?.id, scopes, expires, creationDate };
  return `${id}.${sealer.seal(purpose, { id, ...said })}`;
}

/** Whether a text can be the id of a JWT. */
export function isJwtAddress(address: string): boolean {
  return address.includes('.');
}

/** `undefined` for any text that {@link jwtAddress} has not made. */
export async function openJwtAddress(address: string, sealer: Sealer): Promise<AddressedJwt | undefined> {
  const dot = address.indexOf('.');
  const said = await sealer.open(purpose, address.slice(dot + 1));
  if (said === undefined) return undefined;
  const jwt = said as Omit<AccessToken, 'verifierHash'>;
  return jwt.id === address.slice(0, dot) ? { ...jwt, format: 'jwt' } : undefined;
}
