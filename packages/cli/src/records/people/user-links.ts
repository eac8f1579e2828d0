import type { Command } from 'commander';
import { administratorCommand, withAdministration } from '../../administration/with-administration.ts';
import { examples } from '../../command/examples.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { inWords } from './user-changes.ts';

const removeHelp = `
The person cannot log in to the account with this authenticator any more. All login sessions of the account end, and all tokens
of its grants are revoked. An account without a password needs a reset link, if this was the last way in.`;

/** Links of accounts to other identity providers. */
export function linksCommand(): Command {
  return withLimit(
    administratorCommand('links', 'list the identity providers with which a user logs in', 'accounts'),
  )
    .argument('<username>', 'username of the account')
    .addHelpText('before', examples('emma'))
    .action((username, options) =>
      withAdministration(options, async ({ administration: { accountLinks }, output }) => {
        const found = await accountLinks.list(username, limitOf(options));
        output.list(
          found.rows,
          ['authenticator', 'identityProvider', 'name', 'creationDate', 'lastUsed'],
          found,
        );
      }),
    );
}

export function unlinkCommand(): Command {
  return administratorCommand(
    'unlink',
    'remove the link of an account to another identity provider',
    'accounts',
  )
    .argument('<username>', 'username of the account')
    .argument('<authenticator>', 'name of the authenticator, as "watchword user links" prints it')
    .addHelpText('after', removeHelp)
    .addHelpText('before', examples('emma google'))
    .action((username, authenticator, options) =>
      withAdministration(options, async ({ administration: { accountLinks }, output }) => {
        const ended = await accountLinks.remove(username, authenticator);
        const said = `${username} has no link with ${authenticator} any more. ${inWords(ended)}`;
        output.done(said, { username, authenticator, ...ended });
      }),
    );
}
