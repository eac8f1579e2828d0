import type { QueryClient } from '@tanstack/react-query';
import type { AdminClient, Grant, Page, ResourceOwner } from '@watchword/admin-client';
import { settingsQuery } from '../api/queries.ts';
import type { SelectOption } from '../components/search/use-combobox.ts';
import { searchOf } from '../components/tables/rows.ts';
import { routeTo } from '../router/place.ts';
import {
  clientRoute,
  personRoute,
  requestErrorRoute,
  resourceServerRoute,
  routes,
} from '../router/routes.ts';
import { accountIdentityProvider } from '../rules/identity-provider.ts';
import { t } from '../texts/texts.ts';

// Of each kind so many are shown.
const shown = 5;
// A search of grants finds clients too, so that many are read to find people.
const searchedGrants = 50;

export interface FindDependencies {
  readonly admin: AdminClient;
  readonly queries: QueryClient;
  readonly isAdministrator: boolean;
  readonly hasLocalAccounts: boolean;
  /** The pages that this user has. */
  readonly pages: readonly SelectOption[];
  readonly signal: AbortSignal;
}

// Ids of requests as the server makes them: packages/server/src/http/request-ids.ts.
const requestId = /^[0-9a-f]{10}-[0-9a-z]{1,11}$/;

/**
 * Everything with this part of a name, or the refused request with this id: clients, resource servers, people, settings and pages. The value of an
 * option is the route of its page. Where more of a kind fit, the last one leads to its list with the same search.
 */
export async function findEverything(q: string, deps: FindDependencies): Promise<SelectOption[]> {
  const { admin, isAdministrator, hasLocalAccounts, pages, signal } = deps;
  const page = { q, limit: shown };
  const [clients, servers, accounts, named, grants, settings] = await Promise.all([
    admin.clients.listAll(page, { signal }),
    admin.resourceServers.list(page, { signal }),
    isAdministrator && hasLocalAccounts ? admin.accounts.list(page, { signal }) : nothing,
    admin.grants.list({ resourceOwnerId: q, limit: shown }, { signal }),
    admin.grants.list({ q, limit: searchedGrants }, { signal }),
    isAdministrator ? findSettings(q, deps) : [],
  ]);
  const wanted = q.toLowerCase();
  const people = [
    ...accounts.items.map(({ username }) =>
      personOption({ resourceOwnerId: username, resourceOwnerAuthority: accountIdentityProvider }),
    ),
    ...[...named.items, ...grants.items]
      .filter(({ resourceOwnerId }) => resourceOwnerId.toLowerCase().includes(wanted))
      .map((grant) => personOption(grant, isAdministrator ? undefined : accessOf(grant))),
  ];
  const refused = q.trim().toLowerCase();
  return [
    ...(requestId.test(refused)
      ? [{ value: requestErrorRoute(refused), label: refused, note: t('find.requestError') }]
      : []),
    ...clients.items.map(({ id, resourceserver_id, clientId, clientName }) => ({
      value: clientRoute(resourceserver_id, id),
      label: clientName,
      note: t('find.client', { clientId }),
    })),
    ...allOf(clients, routes.clients, t('clients.title'), q),
    ...servers.items.map(({ id, name }) => ({
      value: resourceServerRoute(id),
      label: name,
      note: t('find.resourceServer'),
    })),
    ...allOf(servers, routes.resourceServers, t('servers.title'), q),
    ...[...new Map(people.map((option) => [option.value, option])).values()].slice(0, shown),
    ...allOf(accounts, routes.accounts, t('accounts.title'), q),
    ...settings,
    ...pages.filter(searchOf(q, ({ label }) => [label])),
  ];
}

const nothing: Page<never> = { items: [], next: undefined };

/** Leads to the list of a kind, if more of it fit than are shown. */
function allOf({ next }: Page<unknown>, list: string, title: string, q: string): SelectOption[] {
  if (next === undefined) return [];
  return [{ value: routeTo(list, { q }), label: title, note: t('find.thatFit', { q }) }];
}

/** By name, flag and variable of the environment; their values can be long, and their descriptions fit much. */
async function findSettings(q: string, { admin, queries }: FindDependencies): Promise<SelectOption[]> {
  const { items } = await queries.fetchQuery({ ...settingsQuery(admin), staleTime: 60_000 });
  return items
    .filter(
      searchOf(q, ({ name, flag, environmentVariable }) => [name, flag ?? '', environmentVariable ?? '']),
    )
    .slice(0, shown)
    .map(({ name }) => ({
      value: routeTo(routes.settings, { q: name }),
      label: name,
      note: t('find.setting'),
    }));
}

/** @param route where the option leads, if it is not the page of the person */
function personOption(owner: ResourceOwner, route = personRoute(owner)): SelectOption {
  return {
    value: route,
    label: owner.resourceOwnerId,
    note: t('find.person', { identityProvider: owner.resourceOwnerAuthority }),
  };
}

function accessOf({ subject }: Grant): string {
  return routeTo(routes.access, { subject });
}
