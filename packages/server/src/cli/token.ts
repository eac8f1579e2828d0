import { text } from 'node:stream/consumers';
import { type AccessTokenFields, canBeAccessToken, isAccessTokenId } from '@watchword/protocol';
import { Command } from 'commander';
import { examples } from './examples.ts';
import type { Io } from './io.ts';
import { members, type Options, repeated } from './options.ts';
import { limitOf, withLimit } from './paging.ts';
import { UsageError } from './usage-error.ts';
import { recordCommand, withAdministration } from './with-administration.ts';

const jwtHelp = `
A JWT has the base URL of the server, and is known by it: without --url, set it as for the server (WATCHWORD_BASE_URL). A JWT is
in no list. Its id is printed when it is issued, or looked up with "watchword token show - < file".`;

export function tokenCommand(): Command {
  return new Command('token')
    .description('issue, list, change and revoke access tokens')
    .addHelpText('after', examples('list --client demo-app', 'revoke --client demo-app'))
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
    .addHelpText('after', jwtHelp)
    .addHelpText('after', examples('--client demo-service --scope read'))
    .action((options) =>
      withAdministration(options, async ({ administration: { accessTokens }, output }) => {
        const issued = await accessTokens.issue(options.client, options.scope);
        output.record({ ...issued }, 'The token is shown only once.');
      }),
    );
}

function listCommand(): Command {
  return withLimit(recordCommand('list', 'list access tokens, oldest first; JWTs are in no list'))
    .option('--client <clientId>', 'only tokens of this client')
    .option('--after <id>', 'only tokens issued after this one', tokenId)
    .addHelpText('after', examples('--client demo-service', '--limit 10 --json'))
    .action((options) =>
      withAdministration(options, async ({ administration: { accessTokens }, output }) => {
        const { client, after } = options;
        const found = await accessTokens.list({ client, after, limit: limitOf(options) });
        const columns = ['id', 'clientId', 'resourceOwnerId', 'resourceOwnerAuthority', 'scopes'];
        output.list(found.rows, [...columns, 'expires', 'creationDate'], found);
      }),
    );
}

function showCommand(): Command {
  return recordCommand('show', 'print one access token: client, resource owner, scopes, expiry')
    .addHelpText('after', jwtHelp)
    .argument('<id>', 'id of the token, or - to read the token itself from standard input')
    .addHelpText('after', examples('019b76da-a800-7a57-899d-6e21a5a8121f', '- < token.txt'))
    .action((id, options) => {
      checkIdOrInput(id, options);
      return withAdministration(options, async ({ administration: { accessTokens }, output }) => {
        const found =
          id === '-'
            ? await accessTokens.lookUp(await presentedToken(options.io))
            : await accessTokens.find(id);
        output.record({ ...found });
      });
    });
}

function updateCommand(): Command {
  return recordCommand('update', 'narrow the scopes of an access token that is no JWT, or change its expiry')
    .argument('<id>', 'id of the token', tokenId)
    .option('--scope <scope>', 'replaces its scopes; may be repeated, "" for none', repeated)
    .option('--expires <time>', 'new expiry such as 2030-01-31T12:00:00Z, or never', timestamp)
    .addHelpText(
      'after',
      examples(
        '019b76da-a800-7a57-899d-6e21a5a8121f --scope read',
        '019b76da-a800-7a57-899d-6e21a5a8121f --expires 2030-01-31T12:00:00Z',
      ),
    )
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
    .addHelpText('after', jwtHelp)
    .argument('[id]', 'id of the token, or - to read the token itself from standard input')
    .option('--client <clientId>', 'revoke every token of this client')
    .addHelpText(
      'after',
      examples('019b76da-a800-7a57-899d-6e21a5a8121f', '- < token.txt', '--client demo-service'),
    )
    .action((id: string | undefined, options) => {
      if ((id === undefined) === (options.client === undefined)) {
        throw new UsageError(
          'token revoke: expected either the id of a token or --client <clientId>, got both or neither',
        );
      }
      if (id !== undefined) checkIdOrInput(id, options);
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
          const revoked = id === '-' ? (await accessTokens.lookUp(await presentedToken(options.io))).id : id;
          await accessTokens.revoke(revoked);
          output.done(`Revoked ${revoked}.`, { revoked });
        },
      );
    });
}

/** The id and not the text of a token, because other users of the machine can read command lines. */
function tokenId(given: string): string {
  if (isAccessTokenId(given)) return given;
  throw new UsageError(
    'expected the id of a token, as "watchword token list" prints it. To name a token by its text, pipe it: watchword token show - < file',
  );
}

/** @throws UsageError */
function checkIdOrInput(id: string, { tokenStdin }: Options): void {
  if (id !== '-') tokenId(id);
  else if (tokenStdin === true) {
    throw new UsageError(
      '- and --token-stdin both read standard input; give the id of the token instead of -',
    );
  }
}

/** Epoch milliseconds. */
function timestamp(given: string): number {
  if (given === 'never') return 0;
  const time = /^\d{4}-\d\d-\d\dT/.test(given) ? Date.parse(given) : Number.NaN;
  if (time > 0) return time;
  throw new UsageError(`--expires: expected a time such as 2030-01-31T12:00:00Z, or never, got "${given}"`);
}

/** @throws UsageError when it cannot be a token of this server */
async function presentedToken({ stdin }: Io): Promise<string> {
  const token = (await text(stdin)).trim();
  if (canBeAccessToken(token)) return token;
  throw new UsageError('expected an access token of this server on standard input, got another text');
}
