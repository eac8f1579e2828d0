import { rights } from '@watchword/administration';
import { Command } from 'commander';
import { administratorCommand, withAdministration } from '../administration/with-administration.ts';
import { examples } from '../command/examples.ts';
import type { Options } from '../command/options.ts';
import { limitOf, withLimit } from '../command/paging.ts';

const clientArgument = 'clientId of a client of authorization-server-admin with client credentials';

/** Commands for what clients that act for themselves can administer. */
export function rightCommand(): Command {
  return new Command('right')
    .description('let clients administer without a person, and end it')
    .addHelpText('before', examples('give deployer records:all:write', 'list', 'end deployer'))
    .addCommand(giveCommand())
    .addCommand(listCommand())
    .addCommand(endCommand());
}

function giveCommand(): Command {
  return administratorCommand('give', 'let a client administer what the rights name')
    .argument('<clientId>', clientArgument)
    .argument('<rights...>', rights.join(', '))
    .addHelpText(
      'after',
      `
Write includes read. They hold at once, also for access tokens that the client has, and end when you are no administrator any more.
To make such a client: watchword client create --resource-server authorization-server-admin --allow-client-credentials
--name "Deployer" --scope read --scope write`,
    )
    .addHelpText('before', examples('deployer records:all:write', 'personnel accounts:write audit:read'))
    .action((clientId: string, names: string[], options: Options) =>
      withAdministration(options, async ({ administration, output }) => {
        const { rights: all } = await administration.rights.give(clientId, names);
        const words = `${clientId} has the rights ${all.map(({ right }) => right).join(', ')}, ${administration.effect}.`;
        output.done(words, { clientId, rights: all });
      }),
    );
}

function listCommand(): Command {
  return withLimit(administratorCommand('list', 'list what clients can administer, and who gave it'))
    .option('--client <clientId>', 'only the rights of this client')
    .addHelpText('before', examples('', '--client deployer'))
    .action((options) =>
      withAdministration(options, async ({ administration, output }) => {
        const found = await administration.rights.list(limitOf(options), options.client);
        output.list(found.rows, ['clientId', 'right', 'givenBy', 'givenByAuthority', 'creationDate'], found);
      }),
    );
}

function endCommand(): Command {
  return administratorCommand('end', 'end a right of a client, or all of them')
    .argument('<clientId>', clientArgument)
    .argument('[right]', 'default: all of the client')
    .addHelpText('before', examples('deployer', 'personnel accounts:write'))
    .action((clientId: string, right: string | undefined, options: Options) =>
      withAdministration(options, async ({ administration, output }) => {
        await administration.rights.end(clientId, right);
        const what = right === undefined ? 'all rights' : `the right ${right}`;
        output.done(`Ended ${what} of ${clientId}, ${administration.effect}.`, {
          clientId,
          ended: right ?? 'all',
        });
      }),
    );
}
