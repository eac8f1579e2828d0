import { Command } from 'commander';
import { administratorCommand, withAdministration } from '../../administration/with-administration.ts';
import { confirmationHelp, isConfirmed } from '../../command/confirm.ts';
import { examples } from '../../command/examples.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { usedRowsInWords } from '../grants/grants-in-words.ts';
import { storedIdentityProviderCommands } from './stored-identity-provider.ts';
import { testLoginCommand } from './test-login.ts';

export function identityProviderCommand(): Command {
  const command = new Command('identity-provider')
    .description('set up identity providers, and end what the users of one have')
    .addHelpText('before', examples('list', 'create uni --metadata-url https://idp.example.org/metadata'))
    .addCommand(listCommand());
  for (const each of storedIdentityProviderCommands()) command.addCommand(each);
  return command.addCommand(testLoginCommand()).addCommand(endCommand());
}

function listCommand(): Command {
  return withLimit(
    administratorCommand(
      'list',
      'list identity providers with the sessions, grants and consents of their users',
    ),
  )
    .option('--after <name>', 'only names after this one')
    .option(
      '--set-up',
      'list those that administrators set up instead, and with --url those of the configuration',
    )
    .addHelpText('after', '\nWith --url the list also shows with which of them the server is configured.')
    .addHelpText('before', examples('', '--set-up', '--url https://id.example.com --json'))
    .action((options) =>
      withAdministration(options, async ({ administration, output }) => {
        const { authenticators, identityProviders } = administration;
        if (options.setUp === true) {
          const found = await authenticators.list({ after: options.after, limit: limitOf(options) });
          return output.list(found.rows, ['name', 'origin', 'kind', 'label', 'enabled', 'problems'], found);
        }
        const found = await identityProviders.list({ after: options.after, limit: limitOf(options) });
        const columns = ['identityProvider', 'configured', 'loginSessions', 'grants', 'consents'];
        output.list(found.rows, columns, found);
      }),
    );
}

function endCommand(): Command {
  return administratorCommand(
    'end',
    'end all sessions, grants and consents of the users of an identity provider',
  )
    .argument('<identityProvider>', 'name, as "watchword identity-provider list" prints it')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `
Login sessions end, grants are revoked with all their tokens, and remembered consents are deleted. The command shows the
numbers first. ${confirmationHelp}`,
    )
    .addHelpText('before', examples('https://old-idp.example.org'))
    .action((name, options) =>
      withAdministration(options, async ({ administration: { identityProviders, effect }, output }) => {
        const { configured, ...used } = await identityProviders.find(name);
        const warning = configured === true ? ' The server is configured with it.' : '';
        const question = () => `End ${usedRowsInWords(used)} of ${name}?${warning}`;
        if (!(await isConfirmed(options, question, 'Nothing was ended.'))) return;
        const ended = await identityProviders.end(name);
        output.done(`Ended ${usedRowsInWords(ended)} of ${name}, ${effect}.`, {
          identityProvider: name,
          ...ended,
        });
      }),
    );
}
