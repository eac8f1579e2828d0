import {
  type Confirmation,
  findUnrevoked,
  formatScope,
  type PresentedAccessToken,
  revocationOf,
  type Sealer,
} from '@watchword/protocol';
import type { ActiveToken, IssuedToken } from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import { changeRecords } from '../changes/change-records.ts';
import { checkCondition, type EditCondition } from '../changes/edit.ts';
import type { AccessTokenAdministrationDependencies } from './access-token-administration.ts';
import { accessTokenTag, deletedToken, ownToken } from './own-token.ts';

/** Finds and revokes JWTs. Nothing of one is stored but its revocation, so it is read outside of a transaction. */
export function jwtAdministration(deps: AccessTokenAdministrationDependencies) {
  const { clock, openSealer } = deps;

  const own = async (caller: Caller, jwt: PresentedAccessToken | undefined): Promise<ActiveToken> => {
    const token = await ownToken(caller, jwt, deps);
    return { ...token, format: 'jwt', address: jwtAddress(token, await openSealer()) };
  };

  const find = async (caller: Caller, address: string): Promise<ActiveToken> => {
    const jwt = await openJwtAddress(address, await openSealer());
    const unrevoked = jwt && (await findUnrevoked(jwt, deps));
    return own(caller, jwt && unrevoked && { ...jwt, ...unrevoked });
  };

  return {
    /** The JWT as administration shows it, if it is that of the caller. @throws OAuthError `not_found` */
    own,
    /** By the id that {@link own} has given it. @throws OAuthError `not_found` */
    find,
    async revoke(caller: Caller, address: string, condition?: EditCondition): Promise<void> {
      const before = await find(caller, address);
      checkCondition(condition, accessTokenTag(before));
      const revocation = {
        ...revocationOf({ ...before, clientRecordId: before.client.id }, clock.now()),
        at: before.part,
      };
      await changeRecords(caller, deps, async ({ issuedTokens }) =>
        deletedToken(before, await issuedTokens.revokeJwt(revocation)),
      );
    },
  };
}

/** What the text of a JWT says. */
type AddressedJwt = Omit<PresentedAccessToken, 'grant'>;

/**
 * Without names, because it is a part of an address: id, record id of the client, id of the grant, scope, expiry, time of issue, what it is
 * bound to.
 */
type Said = [string, number, string | null, string, number, number, Confirmation?];

const purpose = 'id of a JWT';

/**
 * The id of a JWT in the administration interface: `jti`, a dot, and what the JWT says, sealed. No row has that. So the id shows that the
 * caller has seen the token, and whose it is. It can be used for a day at least, as long as a JWT can be valid.
 */
export function jwtAddress(
  { id, client, grant, scopes, expires, creationDate, confirmation }: IssuedToken,
  sealer: Sealer,
): string {
  const said: Said = [id, client.id, grant?.id ?? null, formatScope(scopes), expires, creationDate];
  if (confirmation !== undefined) said.push(confirmation);
  return `${id}.${sealer.seal(purpose, said)}`;
}

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.[\w-]+\.[\w-]+)?$/;

/** Whether a text can be the id of an access token in the administration interface: a UUID, and of a JWT a sealed text too. */
export function isAccessTokenId(text: string): boolean {
  return idPattern.test(text);
}

/** Whether the id is that of a JWT. */
export function isJwtAddress(address: string): boolean {
  return address.includes('.');
}

/** `undefined` for any text that {@link jwtAddress} has not made. */
async function openJwtAddress(address: string, sealer: Sealer): Promise<AddressedJwt | undefined> {
  const dot = address.indexOf('.');
  const said = (await sealer.open(purpose, address.slice(dot + 1))) as Said | undefined;
  if (said === undefined || said[0] !== address.slice(0, dot)) return undefined;
  const [id, clientRecordId, granted, scope, expires, creationDate, confirmation] = said;
  const [grantId, scopes] = [granted ?? undefined, scope === '' ? [] : scope.split(' ')];
  return { id, clientRecordId, grantId, scopes, expires, creationDate, confirmation, format: 'jwt' };
}
