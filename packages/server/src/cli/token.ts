import { text } from 'node:stream/consumers';
import { accessTokenRecord, type GrantedAccessToken, parseBearerValue } from '@watchword/protocol';
import type { Store } from '@watchword/store-sql';
import { Command } from 'commander';
import { addressOf, existingClient, toolAdministration } from './administration.ts';
import { databaseCommand, repeated } from './options.ts';
import { withLimit } from './paging.ts';
import { accessTokenRow } from './records.ts';
import { UsageError } from './usage-error.ts';
import { withStore } from './with-store.ts';

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function tokenCommand(): Command {
  return new Command('token')
    .description('issue, list and revoke access tokens')
    .addCommand(issueCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function issueCommand(): Command {
  return databaseCommand('issue', 'issue an access token that acts as a client, whichever grants it may use')
    .requiredOption('--client <clientId>', 'the client')
    .option('--scope <scope>', 'one of its scopes; may be repeated; all of them when absent', repeated)
    .action((options) =>
      withStore(options, async ({ store, output }) => {
        const { caller, accessTokens } = toolAdministration(store);
        const { clientId } = await existingClient(store, options.client);
        const request = { clientId, scopes: options.scope, expires: undefined };
        const { token, value } = await accessTokens.create(caller, request);
        output.record({ ...accessTokenRecord(token), token: value }, 'The token is shown this once.');
      }),
    );
}

function listCommand(): Command {
  return withLimit(databaseCommand('list', 'list access tokens, oldest first'))
    .option('--client <clientId>', 'only tokens of this client')
    .option('--after <id>', 'only tokens issued after this one', tokenId)
    .action((options) =>
      withStore(options, async ({ store, output }) => {
        const client = options.client && (await existingClient(store, options.client));
        const tokens = await store.accessTokens.list({
          ...(client && { clientRecordId: client.id }),
          ...(options.after && { after: options.after }),
          limit: options.limit,
        });
        const rows = await withClients(store, tokens);
        output.list(rows, ['id', 'clientId', 'scopes', 'expires', 'creationDate']);
      }),
    );
}

function revokeCommand(): Command {
  return databaseCommand('revoke', 'revoke one access token, or all of a client')
    .argument('[id]', 'id of the token, or - to read the token itself from standard input')
    .option('--client <clientId>', 'revoke every token of this client')
    .action((id: string | undefined, options) => {
      if ((id === undefined) === (options.client === undefined)) {
        throw new UsageError('token revoke: expected either the id of a token or --client <clientId>');
      }
      if (id !== undefined && id !== '-') tokenId(id);
      return withStore(options, async ({ store, output }) => {
        const { caller, clients, accessTokens } = toolAdministration(store);
        if (id === undefined) {
          await clients.revokeTokens(caller, addressOf(await existingClient(store, options.client)));
          output.done(`Every token of ${options.client} is revoked, in a running server within a second.`, {
            revokedClient: options.client,
          });
          return;
        }
        const revoked = id === '-' ? await presentedTokenId() : id;
        await accessTokens.revoke(caller, revoked);
        output.done(`Revoked ${revoked}.`, { revoked });
      });
    });
}

/** A token's value is not taken here: other users of the machine can read command lines. */
function tokenId(given: string): string {
  if (uuidPattern.test(given)) return given;
  throw new UsageError(
    'expected the id of a token, as "watchword token list" prints it. To revoke by its value, pipe it: watchword token revoke - < file',
  );
}

async function presentedTokenId(): Promise<string> {
  const found = parseBearerValue('access', (await text(process.stdin)).trim());
  if (found === undefined)
    throw new UsageError('standard input does not hold an access token of this server');
  return found.id;
}

async function withClients(store: Store, tokens: readonly GrantedAccessToken[]) {
  const ids = [...new Set(tokens.map(({ clientRecordId }) => clientRecordId))];
  const clients = new Map((await store.clients.findByIds(ids)).map((client) => [client.id, client]));
  return tokens.map((token) => accessTokenRow(token, clients.get(token.clientRecordId)));
}
