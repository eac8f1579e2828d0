import { answeredResourceServer, everyRecord } from '@watchword/administration';
import {
  type Client,
  type GrantedAccessToken,
  noIdentityProvider,
  OAuthError,
  scopesOf,
} from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { firstOf } from '../../command/paging.ts';
import type { AccountTools } from '../accounts.ts';
import type { Dependents } from '../dependents.ts';
import { noClient } from '../not-found.ts';
import type { OnDatabase } from '../on-database.ts';
import { accessTokenRow } from '../records.ts';
import { withDescriptions } from '../scope-descriptions.ts';
import { readFirst } from './read-first.ts';
import type { LocalRecords } from './records.ts';

/** Record owner of resource servers that the command line registers, unless the command names another one. */
const usualOwner = { name: 'operator', identityProvider: noIdentityProvider };

export function onDatabase(
  { store, caller, resourceServers }: LocalRecords,
  accounts: AccountTools,
): OnDatabase {
  return {
    accounts,
    async createResourceServer({ scopeDescriptions = [], ...given }, { owner = usualOwner, key }) {
      const scopes = withDescriptions(given.scopes ?? [], scopeDescriptions, []);
      const fields = { ...given, ...scopesOf(scopes, []) };
      const options = { owner, chosen: key };
      const { resourceServer, secret } = await resourceServers.create(caller, { fields }, options);
      return { ...answeredResourceServer(resourceServer), secret };
    },
    changeOwner: async (id, owner) =>
      answeredResourceServer(await resourceServers.changeOwner(caller, id, owner)),
    dependentsOfResourceServer: (id) => dependentsOfResourceServer(store, id),
    async dependentsOfClient(id) {
      const client = await store.clients.findById(id);
      return client === undefined ? { tokens: 0, isLeast: false } : dependentsOfClient(store, client);
    },
    async oldestTokens({ client: clientId, ...options }) {
      const client = clientId === undefined ? undefined : await store.clients.find(clientId);
      if (clientId !== undefined && client === undefined) throw noClient(clientId);
      const ofClient = client === undefined ? {} : { clientRecordId: client.id };
      const found = await readFirst<GrantedAccessToken, string | undefined>(
        ({ after, limit }) =>
          store.accessTokens.list({ ...ofClient, ...(after !== undefined && { after }), limit }),
        options,
        ({ id }) => id,
      );
      return firstOf(await withClients(store, found), options.limit);
    },
    unexplained: (error) => (error instanceof OAuthError && error.kind === 'not_found' ? notStored() : error),
  };
}

async function withClients({ clients }: Pick<Store, 'clients'>, tokens: readonly GrantedAccessToken[]) {
  const ids = [...new Set(tokens.map(({ clientRecordId }) => clientRecordId))];
  const byId = new Map((await clients.findByIds(ids)).map((client) => [client.id, client]));
  return tokens.map((token) => accessTokenRow(token, byId.get(token.clientRecordId)));
}

function notStored(): OAuthError {
  return new OAuthError('not_found', {
    description:
      'The database has no error of the last day with this request id. It stores those of requests in which the client was authenticated. A running server knows the others: --url <baseUrl>',
  });
}

type CountedStore = Pick<Store, 'clients' | 'clock' | 'statistics'>;

// The count warns before a deletion. A larger number would not make the warning clearer, and would take longer.
const mostTokens = 10_000;

/** Clients of the resource server, and their active tokens. */
async function dependentsOfResourceServer(
  store: CountedStore,
  resourceServerId: number,
): Promise<Dependents> {
  let [clients, tokens] = [0, 0];
  for await (const client of everyRecord((page) => store.clients.list({ resourceServerId, ...page }))) {
    clients += 1;
    if (tokens < mostTokens) tokens += await countTokens(store, client);
  }
  return { clients, tokens, isLeast: tokens >= mostTokens };
}

/** Active tokens of the client. */
async function dependentsOfClient(store: CountedStore, client: Client): Promise<Dependents> {
  const tokens = await countTokens(store, client);
  return { tokens, isLeast: tokens >= mostTokens };
}

async function countTokens({ clock, statistics }: CountedStore, client: Client): Promise<number> {
  return (await statistics.countOf(client, clock.now(), mostTokens)).tokens;
}
