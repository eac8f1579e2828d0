import { createAdminClient } from '@watchword/admin-client';
import { adminRoutes, inProcessFetch, lint, type PlacesOf, unlisted } from '@watchword/administration';
import { openClientsKey, profileChecks, type Sealer } from '@watchword/protocol';
import type { Configuration } from '@watchword/server/config/settings';
import { placesIn } from '@watchword/server/core/places';
import { invitationPath } from '@watchword/server/http/browser/invitation';
import { resetLinkPath } from '@watchword/server/http/browser/password';
import type { Store } from '@watchword/store-sql';
import { operator } from '../../command/operator.ts';
import { type Administration, administrationBy } from '../administration.ts';
import { localAccounts } from './accounts.ts';
import { onDatabase } from './on-database.ts';
import { localRecords } from './records.ts';

/** Administration of the database itself: all records, by the routes of the administration interface, without a network. */
export async function localAdministration(
  store: Store,
  configuration: Configuration,
): Promise<Administration> {
  const { baseUrl } = configuration;
  const records = await localRecords(store, operator, configuration);
  const routes = adminRoutes({
    ...records,
    totals: {
      resourceServers: async () =>
        (await store.resourceServers.count()) - unlisted(await store.resourceServers.find(openClientsKey)),
      clients: () => store.clients.count({}),
      clientsOf: (resourceServerId) => store.clients.count({ resourceServerId }),
    },
    lint: lint({ ...store, profiledSettings: configuration }),
    profile: profileChecks(configuration.profile),
    placesOf: localPlaces(configuration),
    sealer: unsealed,
    resetLinkUrl: (value) => `${baseUrl}${resetLinkPath(value)}`,
    invitationUrl: (value) => `${baseUrl}${invitationPath(value)}`,
  });
  const admin = createAdminClient({
    baseUrl: new URL(baseUrl).origin,
    fetch: inProcessFetch(routes, records.caller),
  });
  return administrationBy(admin, onDatabase(records, localAccounts(store, operator, baseUrl)));
}

/** The database of places is read only for what needs it. */
function localPlaces(configuration: Configuration): PlacesOf {
  let opened: ReturnType<typeof placesIn> | undefined;
  return async (address) => {
    opened ??= placesIn(configuration['pages.placeDatabase']);
    return (await opened)(address);
  };
}

/** What it seals, the cursors of lists, does not leave the process. */
const unsealed: Sealer = {
  seal: (_, value) => JSON.stringify(value),
  open: async (_, text) => JSON.parse(text),
  sealText: (_, text) => text,
  openText: async (_, text) => text,
};
