import { Command } from 'commander';
import { recordCommand, withAdministration } from '../../administration/with-administration.ts';
import { examples } from '../../command/examples.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { uuid } from '../../command/uuid.ts';

export function logoutDeliveryCommand(): Command {
  return new Command('logout-delivery')
    .description('list logout tokens that clients have not accepted, and deliver them again')
    .addHelpText('before', examples('list --failed', 'retry 019b0000-0000-7000-8000-000000000000'))
    .addCommand(listCommand())
    .addCommand(retryCommand());
}

function listCommand(): Command {
  return withLimit(recordCommand('list', 'list logout tokens that clients have not accepted, newest first'))
    .option('--client <clientId>', 'only deliveries to this client')
    .option('--failed', 'only deliveries without another attempt')
    .addHelpText('before', examples('', '--client web-app --failed'))
    .action((options) =>
      withAdministration(options, async ({ administration: { logoutDeliveries }, output }) => {
        const { client, failed } = options;
        const found = await logoutDeliveries.list({ client, failed, limit: limitOf(options) });
        output.list(found.rows, ['id', 'clientId', 'attempts', 'nextAttempt', 'failure'], found);
      }),
    );
}

function retryCommand(): Command {
  return recordCommand('retry', 'deliver a logout token again')
    .argument(
      '<id>',
      'id, as "watchword logout-delivery list" prints it',
      uuid('the id of a delivery, as "watchword logout-delivery list" prints it'),
    )
    .addHelpText(
      'after',
      '\nA server makes the attempt: with --url at once, otherwise within a few seconds, or within five minutes if it has just failed to\nreach the client.',
    )
    .addHelpText('before', examples('019b0000-0000-7000-8000-000000000000'))
    .action((id, options) =>
      withAdministration(options, async ({ administration: { logoutDeliveries }, output }) => {
        await logoutDeliveries.retry(id);
        output.done(`The server delivers the logout token ${id} again.`, { id });
      }),
    );
}
