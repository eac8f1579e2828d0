import { text } from 'node:stream/consumers';
import { type AccessTokenFields, readAccessToken } from '@watchword/protocol';
import { Command } from 'commander';
import type { Io } from './io.ts';
import { members, repeated } from './options.ts';
import { withLimit } from './paging.ts';
import { UsageError } from './usage-error.ts';
import { recordCommand, withAdministration } from './with-administration.ts';

const uuidPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function tokenCommand(): Command {
  return new Command('token')
    .description('issue, list, change and revoke access tokens')
    .addCommand(issueCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(updateCommand())
    .addCommand(revokeCommand());
}

function issueCommand(): Command {
  return recordCommand('issue', 'issue an access token for a client, independent of its allowed grants')
    .requiredOption('--client <clientId>', 'the client')
    .option('--scope <scope>', 'one of its scopes; may be repeated; all of them when absent', repeated)
    .addHelpText(
      'after',
      '\nWith --url and the access token of a user, the new token is issued for that user.',
    )
    .action((options) =>
      withAdministration(options, async ({ administration: { accessTokens }, output }) => {
        const issued = await accessTokens.issue(options.client, options.scope);
        output.record({ ...issued }, 'The token is shown only once.');
      }),
    );
}

function listCommand(): Command {
  return withLimit(recordCommand('list', 'list access tokens, oldest first'))
    .option('--client <clientId>', 'only tokens of this client')
    .option('--after <id>', 'only tokens issued after this one', tokenId)
    .action((options) =>
      withAdministration(options, async ({ administration: { accessTokens }, output }) => {
        const { client, after, limit } = options;
        const rows = await accessTokens.list({ client, after, limit });
        output.list(rows, ['id', 'clientId', 'scopes', 'expires', 'creationDate']);
      }),
    );
}

function showCommand(): Command {
  return recordCommand('show', 'print one access token: client, resource owner, scopes, expiry')
    .argument('<id>', 'id of the token', tokenId)
    .action((id, options) =>
      withAdministration(options, async ({ administration: { accessTokens }, output }) => {
        output.record({ ...(await accessTokens.find(id)) });
      }),
    );
}

function updateCommand(): Command {
  return recordCommand('update', 'narrow the scopes of an access token, or change its expiry')
    .argument('<id>', 'id of the token', tokenId)
    .option('--scope <scope>', 'replaces its scopes; may be repeated, "" for none', repeated)
    .option('--expires <time>', 'new expiry such as 2030-01-31T12:00:00Z, or never', timestamp)
    .action((id, { scope, expires, ...options }) =>
      withAdministration(options, async ({ administration: { accessTokens }, output }) => {
        const changed: Partial<AccessTokenFields> = {
          ...(scope && { scopes: members(scope) }),
          ...(expires !== undefined && { expires }),
        };
        output.record({ ...(await accessTokens.update(id, changed)) });
      }),
    );
}

function revokeCommand(): Command {
  return recordCommand('revoke', 'revoke one access token, or all of a client')
    .argument('[id]', 'id of the token, or - to read the token itself from standard input')
    .option('--client <clientId>', 'revoke every token of this client')
    .action((id: string | undefined, options) => {
      if ((id === undefined) === (options.client === undefined)) {
        throw new UsageError(
          'token revoke: expected either the id of a token or --client <clientId>, got both or neither',
        );
      }
      if (id !== undefined && id !== '-') tokenId(id);
      if (id === '-' && options.tokenStdin === true) {
        throw new UsageError(
          'token revoke: - and --token-stdin both read standard input; give the id of the token instead of -',
        );
      }
      return withAdministration(
        options,
        async ({ administration: { clients, accessTokens, effect }, output }) => {
          if (id === undefined) {
            await clients.revokeTokens(options.client);
            output.done(`Every token of ${options.client} is revoked, ${effect}.`, {
              revokedClient: options.client,
            });
            return;
          }
          const revoked = id === '-' ? await presentedTokenId(options.io) : id;
          await accessTokens.revoke(revoked);
          output.done(`Revoked ${revoked}.`, { revoked });
        },
      );
    });
}

/** The id and not the value of a token, because other users of the machine can read command lines. */
function tokenId(given: string): string {
  if (uuidPattern.test(given)) return given;
  throw new UsageError(
    'expected the id of a token, as "watchword token list" prints it. To revoke by its value, pipe it: watchword token revoke - < file',
  );
}

/** Epoch milliseconds. */
function timestamp(given: string): number {
  if (given === 'never') return 0;
  const time = /^\d{4}-\d\d-\d\dT/.test(given) ? Date.parse(given) : Number.NaN;
  if (time > 0) return time;
  throw new UsageError(`--expires: expected a time such as 2030-01-31T12:00:00Z, or never, got "${given}"`);
}

async function presentedTokenId({ stdin }: Io): Promise<string> {
  const found = readAccessToken((await text(stdin)).trim());
  if (found === undefined)
    throw new UsageError('expected an access token of this server on standard input, got another text');
  return found.id;
}
