import { useQuery } from '@tanstack/react-query';
import type { AdminClient, Grant, ResourceOwner } from '@watchword/admin-client';
import { useState } from 'react';
import { useCredentialSearch } from '../components/search/credential-search.ts';
import { SearchSelect } from '../components/search/search-select.tsx';
import type { SelectOption } from '../components/search/use-combobox.ts';
import { useEnvironment, usePerson } from '../environment.ts';
import { goTo, routeTo } from '../router/place.ts';
import {
  clientRoute,
  personRoute,
  requestErrorRoute,
  resourceServerRoute,
  routes,
} from '../router/routes.ts';
import { accountIdentityProvider } from '../rules/identity-provider.ts';
import { t } from '../texts/texts.ts';

/** Finds a record or a person by a part of the name, on every page, and an access token by its text. */
export function Find() {
  const { admin, hasLocalAccounts } = useEnvironment();
  const { isAdministrator } = usePerson();
  const showCredential = useCredentialSearch();
  const [q, setQ] = useState('');
  const { data = [], isPlaceholderData } = useQuery({
    queryKey: ['find', q],
    queryFn: ({ signal }) => find(admin, q, { isAdministrator, hasLocalAccounts, signal }),
    enabled: q !== '',
    placeholderData: (before) => before,
  });
  return (
    <SearchSelect
      label={t('find.label')}
      placeholder={t('find.label')}
      hint={t('find.hint')}
      icon="search"
      isBare
      chosen={undefined}
      options={q === '' ? [] : data}
      isLoading={q !== '' && isPlaceholderData}
      onSearch={setQ}
      onCredential={showCredential}
      onChoose={({ value }) => goTo(value)}
    />
  );
}

// Of each kind so many are shown.
const shown = 5;
// A search of grants finds clients too, so that many are read to find people.
const searchedGrants = 50;

interface FindOptions {
  readonly isAdministrator: boolean;
  readonly hasLocalAccounts: boolean;
  readonly signal: AbortSignal;
}

// Ids of requests as the server makes them: packages/server/src/http/request-ids.ts.
const requestId = /^[0-9a-f]{10}-[0-9a-z]{1,11}$/;

/**
 * Clients, resource servers and people with this part of a name, or the refused request with this id. The value of an option is the
 * route of its page.
 */
async function find(admin: AdminClient, q: string, options: FindOptions): Promise<SelectOption[]> {
  const { isAdministrator, hasLocalAccounts, signal } = options;
  const page = { q, limit: shown };
  const [clients, servers, accounts, named, grants] = await Promise.all([
    admin.clients.listAll(page, { signal }),
    admin.resourceServers.list(page, { signal }),
    isAdministrator && hasLocalAccounts ? admin.accounts.list(page, { signal }) : { items: [] },
    admin.grants.list({ resourceOwnerId: q, limit: shown }, { signal }),
    admin.grants.list({ q, limit: searchedGrants }, { signal }),
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
    ...servers.items.map(({ id, name }) => ({
      value: resourceServerRoute(id),
      label: name,
      note: t('find.resourceServer'),
    })),
    ...[...new Map(people.map((option) => [option.value, option])).values()].slice(0, shown),
  ];
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
