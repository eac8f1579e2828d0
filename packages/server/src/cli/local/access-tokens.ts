import { type AccessTokenFields, accessTokenRecord, type GrantedAccessToken } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import type { AccessTokenTools } from '../administration.ts';
import { firstOf } from '../paging.ts';
import { accessTokenRow } from '../records.ts';
import { grantFilter } from './grants.ts';
import { readFirst } from './read-pages.ts';
import { existingClient, type LocalRecords } from './records.ts';

export function localAccessTokens({ store, caller, accessTokens }: LocalRecords): AccessTokenTools {
  return {
    async list({ client: clientId, ...options }) {
      const client = clientId === undefined ? undefined : await existingClient(store, clientId);
      const tokens = await readFirst<GrantedAccessToken, string | undefined>(
        ({ after, limit }) =>
          store.accessTokens.list({
            ...(client && { clientRecordId: client.id }),
            ...(after !== undefined && { after }),
            limit,
          }),
        options,
        ({ id }) => id,
      );
      return firstOf(await withClients(store, tokens), options.limit);
    },
    find: async (id) => accessTokenRecord(await accessTokens.find(caller, id)),
    lookUp: async (text) => accessTokenRecord(await accessTokens.lookUp(caller, text)),
    async issue(clientId, scopes) {
      await existingClient(store, clientId);
      const { token, value } = await accessTokens.create(caller, { clientId, scopes, expires: undefined });
      return { ...accessTokenRecord(token), token: value };
    },
    async update(id, changed) {
      const apply = (current: AccessTokenFields) => ({ ...current, ...changed });
      return accessTokenRecord(await accessTokens.update(caller, id, { apply }));
    },
    revoke: (id) => accessTokens.revoke(caller, id),
    revokeIssued: async ({ since, ...selection }) => {
      const selected = await grantFilter(store, { ...selection, since });
      return accessTokens.revokeIssued(caller, { ...selected, since });
    },
  };
}

async function withClients({ clients }: Store, tokens: readonly GrantedAccessToken[]) {
  const ids = [...new Set(tokens.map(({ clientRecordId }) => clientRecordId))];
  const byId = new Map((await clients.findByIds(ids)).map((client) => [client.id, client]));
  return tokens.map((token) => accessTokenRow(token, byId.get(token.clientRecordId)));
}
