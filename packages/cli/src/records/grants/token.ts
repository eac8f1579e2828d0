import type { AccessTokenFields } from '@watchword/administration';
import { shown } from '@watchword/protocol';
import { Command } from 'commander';
import { recordCommand, withAdministration } from '../../administration/with-administration.ts';
import { adminVariables } from '../../command/admin-variables.ts';
import { examples } from '../../command/examples.ts';
import { members, type Options, repeated } from '../../command/options.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { UsageError } from '../../command/usage-error.ts';
import { withStore } from '../../command/with-store.ts';
import { checkIdOrInput, jwtHelp, presentedToken, tokenId } from './presented-token.ts';
import { revokeCommand } from './token-revoke.ts';

export function tokenCommand(): Command {
  return new Command('token')
    .description('issue, list, change and revoke access tokens')
    .addHelpText('before', examples('list --client demo-app', 'revoke --client demo-app'))
    .addCommand(issueCommand())
    .addCommand(listCommand())
    .addCommand(showCommand())
    .addCommand(updateCommand())
    .addCommand(revokeCommand());
}

function issueCommand(): Command {
  return recordCommand('issue', 'issue an access token for a client, independent of its allowed grants')
    .option('--client <clientId>', 'the client')
    .option(
      '--for <username>',
      'in place of --client: to administer as this local administrator, for an hour',
    )
    .option('--scope <scope>', 'one of its scopes; may be repeated; all of them when absent', repeated)
    .addHelpText(
      'after',
      '\nWith --url and the access token of a user, the new token is issued for that user. --for works on the database alone, and ends with a change of the account.',
    )
    .addHelpText('after', jwtHelp)
    .addHelpText('before', examples('--client demo-service --scope read', '--for root'))
    .action((options) => {
      if ((options.client === undefined) === (options.for === undefined)) {
        throw new UsageError('token issue: expected either --client or --for; got both or neither');
      }
      if (options.for !== undefined) return issueForAdministrator(options);
      return withAdministration(options, async ({ administration: { accessTokens }, output }) => {
        const { token, ...issued } = await accessTokens.issue(options.client, options.scope);
        output.issued(issued, { token }, 'The token is shown only once.');
      });
    });
}

async function issueForAdministrator(options: Options): Promise<void> {
  if ((options.url ?? options.loginProfile ?? options.tokenStdin) !== undefined) {
    throw new UsageError(
      '--for: works only on this machine, on the database. Over the network, an administrator logs in with "watchword login"',
    );
  }
  // Loaded here, so that the other commands start without it.
  const { issueForAdministrator: issue } = await import(
    '../../administration/local/token-for-administrator.ts'
  );
  const username = String(options.for);
  await withStore(options, async ({ store, configuration, output }) => {
    const { token, ...issued } = await issue(
      username,
      options.scope as string[] | undefined,
      store,
      configuration,
    );
    const until = new Date(issued.expires).toISOString();
    const note = `The token is valid until ${until}, and can do what ${username} can. A server without the login of local accounts (authenticator password) refuses it. It is shown only once. Commands with --url read it in ${adminVariables.token}.`;
    output.issued({ ...issued }, { token }, note);
  });
}

function listCommand(): Command {
  return withLimit(recordCommand('list', 'list access tokens, oldest first; JWTs are in no list'))
    .option('--client <clientId>', 'only tokens of this client')
    .option('--after <id>', 'only tokens issued after this one', tokenId)
    .addHelpText('before', examples('--client demo-service', '--limit 10 --json'))
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
    .addHelpText('before', examples('019b76da-a800-7a57-899d-6e21a5a8121f', '- < token.txt'))
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
      'before',
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

/** Epoch milliseconds. */
function timestamp(given: string): number {
  if (given === 'never') return 0;
  const time = /^\d{4}-\d\d-\d\dT/.test(given) ? Date.parse(given) : Number.NaN;
  if (time > 0) return time;
  throw new UsageError(
    `--expires: expected a time such as 2030-01-31T12:00:00Z, or never, got ${shown(given, 80)}`,
  );
}
