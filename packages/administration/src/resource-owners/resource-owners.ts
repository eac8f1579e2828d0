import { endRights, type Identity, isSameIdentity, OAuthError } from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';
import { ofIdentity } from '../changes/audit.ts';
import { type AdministrationDependencies, changeInParts } from '../changes/change-records.ts';

/** How much ended. */
interface OwnerRevocation {
  readonly grants: number;
  readonly loginSessions: number;
}

export interface ResourceOwnerAdministration {
  /**
   * Revokes everything that was issued for the owner: grants with their codes, access and refresh tokens. Ends the login
   * sessions of the owner, and the rights that the owner gave to clients. Consented scopes stay stored.
   *
   * @throws OAuthError `not_found` for another owner than the caller, unless the caller is an administrator
   */
  revoke(caller: Caller, owner: Identity): Promise<OwnerRevocation>;
}

type Dependencies = Pick<
  AdministrationDependencies,
  'transact' | 'clock' | 'random' | 'audited' | 'ownerLimits'
>;

// Grants of one transaction: other writers wait for its end.
const batchSize = 500;

export function resourceOwnerAdministration(deps: Dependencies): ResourceOwnerAdministration {
  return {
    async revoke(caller, owner) {
      if (!caller.isAdministrator && !isSameIdentity(caller.identity, owner)) {
        throw new OAuthError('not_found', { description: 'There is no such resource owner.' });
      }
      const now = deps.clock.now();
      const change = changeInParts(caller, deps);
      const first = await change(async (stores) => {
        const { issuedTokens } = stores;
        const loginSessions = await issuedTokens.endSessions(owner, now);
        const grants = await issuedTokens.revokeGrants(owner, now, batchSize);
        const changes = [
          { action: 'revokeTokens', ...ofIdentity(owner) } as const,
          ...(await endRights({ giver: owner }, stores)),
        ];
        return { value: { grants, loginSessions }, changes };
      });
      let { grants } = first;
      let last: number;
      // At least once: a login that was stored at the same time has ended after the commit, and can have given access until then.
      do {
        last = await deps.transact(({ issuedTokens }) => issuedTokens.revokeGrants(owner, now, batchSize));
        grants += last;
      } while (last === batchSize);
      // Whoever has many grants can have given another right until the last one ended.
      await change(async (stores) => ({
        value: undefined,
        changes: await endRights({ giver: owner }, stores),
      }));
      return { grants, loginSessions: first.loginSessions };
    },
  };
}
