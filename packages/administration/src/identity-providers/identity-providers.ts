import {
  endRights,
  type IdentityProviderStore,
  type IdentityProviders,
  type IdentityProviderUse,
  OAuthError,
  type UsedRows,
} from '@watchword/protocol';
import { type Caller, systemCaller } from '../callers/caller.ts';
import { type AdministrationDependencies, changeInParts } from '../changes/change-records.ts';
import { type Page, type PageRequest, readPage } from '../lists/page.ts';

export interface ListedIdentityProvider extends IdentityProviderUse {
  /** Whether this node is configured with it; `undefined` while that is unknown. */
  readonly isConfigured: boolean | undefined;
}

/** For administrators. Other callers see no identity provider. */
export interface IdentityProviderAdministration {
  /**
   * Identity providers with stored sessions, grants or consents, by name. @param filter `configured`: only those that
   * are, or are not
   */
  list(
    caller: Caller,
    filter: { readonly configured?: boolean | undefined },
    page: PageRequest<string>,
  ): Promise<Page<ListedIdentityProvider, string>>;
  /**
   * Removes everything that its users have: login sessions, grants with all tokens issued under them, consented scopes.
   *
   * @throws OAuthError `not_found` if the identity provider has no sessions, grants and consents
   */
  end(caller: Caller, identityProvider: string): Promise<UsedRows>;
}

interface IdentityProviderAdministrationDependencies
  extends Pick<AdministrationDependencies, 'transact' | 'clock' | 'random' | 'audited'> {
  readonly identityProviderUse: IdentityProviderStore;
  /** Absent at the command line, which has no authentication module. */
  readonly identityProviders?: IdentityProviders;
}

export function identityProviderAdministration(
  deps: IdentityProviderAdministrationDependencies,
): IdentityProviderAdministration {
  const { identityProviderUse, identityProviders } = deps;
  return {
    async list(caller, { configured }, page) {
      const all = caller.isAdministrator ? await identityProviderUse.list() : [];
      return readPage(page, {
        fetch: async (after, limit) =>
          all
            .filter(({ identityProvider }) => after === undefined || identityProvider > after)
            .slice(0, limit),
        positionOf: ({ identityProvider }) => identityProvider,
        pick(use) {
          const isConfigured = identityProviders?.isConfigured(use.identityProvider);
          return configured === undefined || configured === isConfigured
            ? { ...use, isConfigured }
            : undefined;
        },
      });
    },

    async end(caller, identityProvider) {
      const all = caller.isAdministrator ? await identityProviderUse.list() : [];
      const found = all.find((use) => use.identityProvider === identityProvider);
      if (found === undefined) {
        throw new OAuthError('not_found', {
          description: 'No user has sessions, grants or consents of an identity provider with this name.',
        });
      }
      const { identityProvider: _, ...before } = found;
      // The audit event first: the removal is too large for one transaction, and must not happen without an event.
      const change = changeInParts(caller, deps);
      await change(async (stores) => ({
        value: undefined,
        changes: [
          { action: 'revokeTokens', ...ofIdentityProvider(identityProvider), before },
          ...(await endRights({ identityProvider }, stores)),
        ],
      }));
      const ended = await endUse(identityProvider, deps);
      // One of its administrators can have given another one until then.
      await change(async (stores) => ({
        value: undefined,
        changes: await endRights({ identityProvider }, stores),
      }));
      return ended;
    },
  };
}

/** Ends what the users of an identity provider have. */
export async function endUse(
  identityProvider: string,
  {
    identityProviderUse,
    clock,
    transact,
  }: Pick<IdentityProviderAdministrationDependencies, 'identityProviderUse' | 'clock' | 'transact'>,
): Promise<UsedRows> {
  const ended = await identityProviderUse.end(identityProvider, clock.now());
  // A change that one of its users had begun before can have given access to a client. It is over when this transaction is, and others
  // find the access of the user ended.
  await transact(async () => {});
  return sumOfUse([ended, await identityProviderUse.end(identityProvider, clock.now())]);
}

export function sumOfUse(all: readonly UsedRows[]): UsedRows {
  const sum = (of: (rows: UsedRows) => number) => all.reduce((total, rows) => total + of(rows), 0);
  return {
    loginSessions: sum((rows) => rows.loginSessions),
    grants: sum((rows) => rows.grants),
    consents: sum((rows) => rows.consents),
  };
}

export function ofIdentityProvider(name: string) {
  return {
    recordType: 'identityProvider',
    recordId: name,
    recordName: name,
    owner: systemCaller.identity,
  } as const;
}
