import { confirmationPurposes } from '@watchword/administration';
import { Command, Option } from 'commander';
import { administratorCommand, withAdministration } from '../../administration/with-administration.ts';
import { examples } from '../../command/examples.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { uuid } from '../../command/uuid.ts';

export function confirmationCommand(): Command {
  return new Command('confirmation')
    .description('see and end what people were asked by mail to confirm')
    .addHelpText('before', examples('list', 'list --user emma'))
    .addCommand(listCommand())
    .addCommand(endCommand());
}

function listCommand(): Command {
  return withLimit(
    administratorCommand('list', 'list new passwords, addresses and sign-ups that wait', 'accounts'),
  )
    .option('--user <username>', 'only those of this account')
    .addOption(new Option('--purpose <purpose>', 'only those for this purpose').choices(confirmationPurposes))
    .addHelpText('before', examples('', '--user emma', '--purpose sign_up --json'))
    .action((options) =>
      withAdministration(options, async ({ administration: { confirmations }, output }) => {
        const found = await confirmations.list(options.user, options.purpose, limitOf(options));
        output.list(found.rows, ['id', 'purpose', 'username', 'address', 'creationDate', 'expires'], found);
      }),
    );
}

function endCommand(): Command {
  return administratorCommand(
    'end',
    'end a pending confirmation: its link and its code are of no use any more',
    'accounts',
  )
    .argument(
      '<id>',
      'id, as "watchword confirmation list" prints it',
      uuid('the id of a confirmation, as "watchword confirmation list" prints it'),
    )
    .addHelpText('before', examples('019b76da-a800-7a57-899d-6e21a5a8121f'))
    .action((id, options) =>
      withAdministration(options, async ({ administration: { confirmations, effect }, output }) => {
        await confirmations.end(id);
        output.done(`Ended ${id}, ${effect}.`, { ended: id });
      }),
    );
}
