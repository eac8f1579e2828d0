import { type AdminClient, readAll } from '@watchword/admin-client';
import type { AccessTokenFields, RevokedIssue } from '@watchword/administration';
import type { ListedRows } from '../command/output.ts';
import { firstOf } from '../command/paging.ts';
import { UsageError } from '../command/usage-error.ts';
import { type RecordFinder, rows } from './find-records.ts';
import { grantFilter, type SelectedGrants } from './grants.ts';
import type { ListedTokens, OnDatabase } from './on-database.ts';

// The interface lists the newest tokens first. To find the oldest, the command reads all of them.
const mostTokens = 20_000;

export function accessTokenTools({ accessTokens }: AdminClient, find: RecordFinder, onDatabase?: OnDatabase) {
  return {
    /** The oldest first. */
    list: (options: ListedTokens): Promise<ListedRows> =>
      onDatabase === undefined ? oldest(accessTokens, options) : onDatabase.oldestTokens(options),
    find: async (id: string) => (await accessTokens.get(id)).record,
    /** Finds a token by its text. */
    lookUp: async (text: string) => (await accessTokens.lookUp(text)).record,
    issue: async (clientId: string, scopes: readonly string[] | undefined) => {
      await find.client(clientId);
      return accessTokens.create({ clientId, ...(scopes && { scopes }) });
    },
    update: async (id: string, changed: Partial<AccessTokenFields>) =>
      (await accessTokens.update(id, changed)).record,
    revoke: (id: string) => accessTokens.revoke(id),
    /** Revokes what was issued at a time or later. */
    revokeIssued: async (selection: SelectedGrants & { readonly since: number }): Promise<RevokedIssue> =>
      accessTokens.revokeIssued({ ...(await grantFilter(find, selection)), since: selection.since }),
  };
}

async function oldest(
  accessTokens: AdminClient['accessTokens'],
  { client: clientId, after = '', limit }: ListedTokens,
): Promise<ListedRows> {
  const { items, isComplete } = await readAll((page) => accessTokens.list({ ...page, clientId }), mostTokens);
  if (!isComplete) {
    throw new UsageError(
      `token list: there are more than ${mostTokens} tokens, too many to read over the network. Name a client with --client, or run the command on the database.`,
    );
  }
  const wanted = items.filter(({ id }) => id > after).sort((a, b) => (a.id < b.id ? -1 : 1));
  return firstOf(rows(wanted), limit, items.length);
}
