import type { UsedRows } from '@watchword/protocol';
import { Command } from 'commander';
import { administratorCommand, withAdministration } from '../administration/with-administration.ts';
import { confirmationHelp, isConfirmed } from '../command/confirm.ts';
import { examples } from '../command/examples.ts';
import { limitOf, withLimit } from '../command/paging.ts';
import { grantsInWords } from './grants-in-words.ts';

export function identityProviderCommand(): Command {
  return new Command('identity-provider')
    .description('list identity providers whose users have sessions, grants or consents, and end these')
    .addHelpText('before', examples('list', 'end https://old-idp.example.org'))
    .addCommand(listCommand())
    .addCommand(endCommand());
}

function listCommand(): Command {
  return withLimit(
    administratorCommand(
      'list',
      'list identity providers with the sessions, grants and consents of their users',
    ),
  )
    .option('--after <name>', 'only names after this one')
    .addHelpText('after', '\nWith --url the list also shows with which of them the server is configured.')
    .addHelpText('before', examples('', '--url https://id.example.com --json'))
    .action((options) =>
      withAdministration(options, async ({ administration: { identityProviders }, output }) => {
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
        const question = () => `End ${inWords(used)} of ${name}?${warning}`;
        if (!(await isConfirmed(options, question, 'Nothing was ended.'))) return;
        const ended = await identityProviders.end(name);
        output.done(`Ended ${inWords(ended)} of ${name}, ${effect}.`, { identityProvider: name, ...ended });
      }),
    );
}

/** "3 login sessions, 1 grant with its tokens and 2 remembered consents" */
export function inWords({ loginSessions, ...granted }: UsedRows): string {
  const sessions = `${loginSessions} login session${loginSessions === 1 ? '' : 's'}`;
  return `${sessions}, ${grantsInWords(granted)}`;
}
