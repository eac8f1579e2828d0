import type { Sealer } from '../keys/key-ring.ts';
import type { PresentedAccessToken } from '../ports/access-token-store.ts';

/** A JWT without what the store has of it. */
export type AddressedJwt = Omit<PresentedAccessToken, 'grant'>;

const purpose = 'id of a JWT';

/**
 * The id of a JWT in the administration interface: `jti`, a dot, and its claims, sealed. No row has them. So the id itself shows that the
 * caller has seen the token, and whose it is. It can be used for a day at least, which is as long as a JWT can live.
 */
export function jwtAddress({ id, clientRecordId, grantId, scopes, expires, creationDate }: AddressedJwt, sealer: Sealer): string {
  return `${id}.${sealer.seal(purpose, { id, clientRecordId, grantId, scopes, expires, creationDate })}`;
}

/** Whether a text can be the id of a JWT. */
export function isJwtAddress(address: string): boolean {
  return address.includes('.');
}

/** `undefined` for any text that {@link jwtAddress} has not made. */
export async function openJwtAddress(address: string, sealer: Sealer): Promise<AddressedJwt | undefined> {
  const dot = address.indexOf('.');
  const claims = (await sealer.open(purpose, address.slice(dot + 1))) as Omit<AddressedJwt, 'format'> | undefined;
  if (claims === undefined || claims.id !== address.slice(0, dot)) return undefined;
  // JSON has no `undefined`.
  return { ...claims, grantId: claims.grantId, format: 'jwt' };
}
