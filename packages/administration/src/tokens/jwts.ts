import { findUnrevoked, type PresentedAccessToken, revocationOf } from '@watchword/protocol';
import type { ActiveToken } from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import { changeRecords } from '../changes/change-records.ts';
import { checkCondition, type EditCondition } from '../changes/edit.ts';
import type { AccessTokenAdministrationDependencies } from './access-token-administration.ts';
import { jwtAddress, openJwtAddress } from './jwt-address.ts';
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
      const revocation = revocationOf({ ...before, clientRecordId: before.client.id }, clock.now());
      await changeRecords(caller, deps, async ({ issuedTokens }) =>
        deletedToken(before, await issuedTokens.revokeJwt(revocation)),
      );
    },
  };
}
