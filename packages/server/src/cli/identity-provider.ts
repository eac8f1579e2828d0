import type { UsedRows } from '@watchword/protocol';
import { Command } from 'commander';
import { confirmed } from './confirm.ts';
import { withLimit } from './paging.ts';
import { recordCommand, withAdministration } from './with-administration.ts';

export function identityProviderCommand(): Command {
  return new Command('identity-provider')
    .description('see of which identity providers people have something, and end that for good')
    .addCommand(listCommand())
    .addCommand(endCommand());
}

function listCommand(): Command {
  return withLimit(recordCommand('list', 'list identity providers with what their people have'))
    .option('--after <name>', 'only names after this one')
    .addHelpText('after', '\nWhich of them a server is configured with, it says with --url.')
    .action((options) =>
      withAdministration(options, async ({ administration: { identityProviders }, output }) => {
        const { after, limit } = options;
        output.list(await identityProviders.list({ after, limit }), [
          'identityProvider',
          'configured',
          'loginSessions',
          'grants',
          'consents',
        ]);
      }),
    );
}

function endCommand(): Command {
  return recordCommand('end', 'end for good what people of an identity provider have')
    .argument('<identityProvider>', 'its name, as "watchword identity-provider list" prints it')
    .option('--yes', 'do not ask first')
    .addHelpText(
      'after',
      `
Login sessions end, grants are revoked with all their tokens, and what people consented to is forgotten. At a terminal it
shows how much that is and asks first, unless --yes or --json is given. A script is not asked.`,
    )
    .action((name, options) =>
      withAdministration(options, async ({ administration: { identityProviders, effect }, output }) => {
        const { configured, ...used } = await identityProviders.find(name);
        const warning = configured === true ? ' The server is configured with it.' : '';
        const asks = options.yes !== true && options.json !== true;
        if (asks && !(await confirmed(`End ${inWords(used)} of ${name}?${warning}`, options.io))) {
          options.io.stderr.write('Nothing was ended.\n');
          options.io.exitCode = 1;
          return;
        }
        const ended = await identityProviders.end(name);
        output.done(`Ended ${inWords(ended)} of ${name}, ${effect}.`, { identityProvider: name, ...ended });
      }),
    );
}

/** "3 login sessions, 1 grant with its tokens and 2 remembered consents" */
export function inWords({ loginSessions, grants, consents }: UsedRows): string {
  const sessions = `${loginSessions} login session${loginSessions === 1 ? '' : 's'}`;
  const granted = `${grants} grant${grants === 1 ? ' with its' : 's with their'} tokens`;
  return `${sessions}, ${granted} and ${consents} remembered consent${consents === 1 ? '' : 's'}`;
}
