import { useQuery } from '@tanstack/react-query';
import { type ResourceOwner, readAll } from '@watchword/admin-client';
import { useEnvironment } from '../../environment.ts';
import { accountIdentityProvider } from '../../rules/identity-provider.ts';

/** So many of each kind are read: two pages of the longest list. */
export const mostRead = 2000;

/** Access that the person granted, also what is only remembered as consent. */
export function useGrantsOf(owner: ResourceOwner) {
  const { admin } = useEnvironment();
  return useQuery({
    queryKey: ['grants', 'person', owner],
    queryFn: async ({ signal }) =>
      ofIdentityProvider(
        owner,
        await readAll(
          (page) => admin.grants.list({ ...page, resourceOwnerId: owner.resourceOwnerId }, { signal }),
          mostRead,
        ),
      ),
  });
}

/** Valid access tokens in the name of the person. */
export function useTokensOf(owner: ResourceOwner) {
  const { admin } = useEnvironment();
  const filter = { resourceOwnerId: owner.resourceOwnerId, expired: false };
  return useQuery({
    queryKey: ['tokens', 'person', owner],
    queryFn: async ({ signal }) =>
      ofIdentityProvider(
        owner,
        await readAll((page) => admin.accessTokens.list({ ...page, ...filter }, { signal }), mostRead),
      ),
  });
}

/** Which person a list is of. */
export function selectionOf({ resourceOwnerId, resourceOwnerAuthority: identityProvider }: ResourceOwner) {
  return { resourceOwnerId, identityProvider };
}

/** What the person proves a login with, beside a password. */
export function useFactorsOf(owner: ResourceOwner) {
  const { admin } = useEnvironment();
  const person = selectionOf(owner);
  return useQuery({
    queryKey: ['factors', person],
    queryFn: ({ signal }) =>
      readAll((page) => admin.factors.list({ ...page, ...person }, { signal }), mostRead),
  });
}

/** The local account of the person; `null` for a person who has none. */
export function useAccountOf({ resourceOwnerId, resourceOwnerAuthority }: ResourceOwner) {
  const { admin, hasLocalAccounts } = useEnvironment();
  return useQuery({
    queryKey: ['accounts', 'person', resourceOwnerId],
    queryFn: async ({ signal }) => {
      const { items } = await admin.accounts.list({ username: resourceOwnerId }, { signal });
      return items[0] ?? null;
    },
    enabled: hasLocalAccounts && resourceOwnerAuthority === accountIdentityProvider,
  });
}

/** The lists of the server are by name. The same name at another identity provider is another person. */
function ofIdentityProvider<Row extends ResourceOwner, List extends { readonly items: readonly Row[] }>(
  { resourceOwnerAuthority }: ResourceOwner,
  list: List,
): List {
  return {
    ...list,
    items: list.items.filter((row) => row.resourceOwnerAuthority === resourceOwnerAuthority),
  };
}
