import { type AdminClient, readAll } from '@watchword/admin-client';
import type { AccessTokenTools } from '../administration.ts';
import { firstOf } from '../paging.ts';
import { UsageError } from '../usage-error.ts';
import { type RecordFinder, rows } from './find-records.ts';
import { grantFilter } from './grants.ts';

// The interface lists the newest tokens first. To find the oldest, the command reads all of them.
const mostTokens = 20_000;

export function remoteAccessTokens({ accessTokens }: AdminClient, find: RecordFinder): AccessTokenTools {
  return {
    async list({ client: clientId, after = '', limit }) {
      const { items, isComplete } = await readAll(
        (page) => accessTokens.list({ ...page, clientId }),
        mostTokens,
      );
      if (!isComplete) {
        throw new UsageError(
          `token list: there are more than ${mostTokens} tokens, too many to read over the network. Name a client with --client, or run the command on the database.`,
        );
      }
      const wanted = items.filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1));
      return firstOf(rows(wanted), limit, items.length);
    },
    find: async (id) => (await accessTokens.get(id)).record,
    lookUp: async (text) => (await accessTokens.lookUp(text)).record,
    issue: (clientId, scopes) => accessTokens.create({ clientId, ...(scopes && { scopes }) }),
    update: async (id, changed) => (await accessTokens.update(id, changed)).record,
    revoke: (id) => accessTokens.revoke(id),
    revokeIssued: async (selection) =>
      accessTokens.revokeIssued({ ...(await grantFilter(find, selection)), since: selection.since }),
  };
}
