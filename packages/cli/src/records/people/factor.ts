import { Command } from 'commander';
import { administratorCommand, withAdministration } from '../../administration/with-administration.ts';
import { confirmationHelp, isConfirmed } from '../../command/confirm.ts';
import { examples } from '../../command/examples.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { uuid } from '../../command/uuid.ts';
import { namedPerson, withProviderOfPerson } from './person-option.ts';
import { inWords } from './user-changes.ts';

const columns = ['id', 'kind', 'name', 'count', 'creationDate', 'lastUsed'];
const effects = `
All login sessions of the person end, and all tokens of the grants are revoked. The owner of a local account is told by mail,
where mail is set up. Over the network the last administrator keeps the factors.`;

export function factorCommand(): Command {
  return new Command('factor')
    .description('see, count and remove passkeys, apps for codes and recovery codes of people')
    .addHelpText('before', examples('list emma', 'reset emma'))
    .addCommand(listCommand())
    .addCommand(statsCommand())
    .addCommand(removeCommand())
    .addCommand(resetCommand());
}

function listCommand(): Command {
  return withProviderOfPerson(
    withLimit(administratorCommand('list', 'list the factors of a person', 'accounts')),
  )
    .addHelpText('before', examples('emma', 'emma --identity-provider https://idp.example/metadata'))
    .action((name, options) =>
      withAdministration(options, async ({ administration: { factors }, output }) => {
        const found = await factors.list(namedPerson(name, options), limitOf(options));
        output.list(found.rows, columns, found);
      }),
    );
}

function statsCommand(): Command {
  return administratorCommand('stats', 'count people by their factors', 'accounts')
    .addHelpText(
      'after',
      '\nDisabled accounts are not counted. Of other identity providers, only people with a factor are known.',
    )
    .addHelpText('before', examples('', '--json'))
    .action((options) =>
      withAdministration(options, async ({ administration: { factors }, output }) => {
        const counted = Object.entries(await factors.statistics());
        output.list(
          counted.map(([of, counts]) => ({ of, ...counts })),
          ['of', 'people', 'none', 'passkey', 'totp', 'recoveryCodes'],
        );
      }),
    );
}

function removeCommand(): Command {
  return administratorCommand('remove', 'remove one factor of a person', 'accounts')
    .argument(
      '<id>',
      'id, as "watchword factor list" prints it',
      uuid('the id of a factor, as "watchword factor list" prints it'),
    )
    .addHelpText('after', effects)
    .addHelpText('before', examples('019b76da-a800-7a57-899d-6e21a5a8121f'))
    .action((id, options) =>
      withAdministration(options, async ({ administration: { factors }, output }) => {
        const ended = await factors.remove(id);
        output.done(`Removed ${id}. ${inWords(ended)}`, { removed: id, ...ended });
      }),
    );
}

function resetCommand(): Command {
  return withProviderOfPerson(
    administratorCommand('reset', 'remove all factors of a person who has lost them', 'accounts'),
  )
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', `${effects}\n${confirmationHelp}`)
    .addHelpText('before', examples('emma', 'emma --yes'))
    .action((name, options) =>
      withAdministration(options, async ({ administration: { factors }, output }) => {
        const question = () => `Remove all factors of ${name}, and end all logins?`;
        if (!(await isConfirmed(options, question, 'Nothing was removed.'))) return;
        const ended = await factors.reset(namedPerson(name, options));
        output.done(`${name} has no second factor any more. ${inWords(ended)}`, { person: name, ...ended });
      }),
    );
}
