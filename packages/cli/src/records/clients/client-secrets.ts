import type { ClientSecretDetails } from '@watchword/admin-client';
import type { Command } from 'commander';
import { recordCommand, withAdministration } from '../../administration/with-administration.ts';
import { confirmationHelp, isConfirmed } from '../../command/confirm.ts';
import { examples } from '../../command/examples.ts';
import { type Options, wholeNumber } from '../../command/options.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { UsageError } from '../../command/usage-error.ts';

const secretNote =
  'The secret is shown only once. Give it to the application, and remove the one before it when "watchword client secrets" shows that nobody uses it any more.';
const day = 86_400_000;

/** Commands for the secrets of a client one by one. */
export function clientSecretCommands(): Command[] {
  return [listCommand(), addCommand(), updateCommand(), removeCommand()];
}

function listCommand(): Command {
  return withLimit(
    recordCommand('secrets', 'list the secrets of a client, and when each was last used, up to a minute ago'),
  )
    .argument('<clientId>', 'clientId of the client')
    .addHelpText('before', examples('night-job'))
    .action((clientId, options) =>
      withAdministration(options, async ({ administration: { clients }, output }) => {
        const found = await clients.secrets(clientId, limitOf(options));
        output.list(found.rows, ['id', 'description', 'creationDate', 'lastUsed', 'expires'], found);
      }),
    );
}

function addCommand(): Command {
  const command = recordCommand('add-secret', 'give a client one more secret; those that it has stay valid');
  return withDetails(command)
    .argument('<clientId>', 'clientId of the client')
    .addHelpText('before', examples('night-job --description "new server"', 'night-job --days 90'))
    .action((clientId, options) =>
      withAdministration(options, async ({ administration: { clients }, output }) => {
        const { secret, ...made } = await clients.addSecret(clientId, detailsOf(options));
        output.issued({ ...made }, { clientId, id: made.id, secret }, secretNote);
      }),
    );
}

function updateCommand(): Command {
  const command = recordCommand('update-secret', 'change when a secret of a client ends, or its description');
  return withId(withDetails(command))
    .addHelpText('before', examples('night-job 1 --days 7'))
    .action((clientId, id, options) =>
      withAdministration(options, async ({ administration: { clients }, output }) => {
        const details = detailsOf(options);
        if (Object.keys(details).length === 0)
          throw new UsageError('expected --days or --description: there is nothing to change');
        output.record({ ...(await clients.updateSecret(clientId, id, details)) });
      }),
    );
}

function removeCommand(): Command {
  return withId(recordCommand('remove-secret', 'remove a secret of a client, which is no longer valid'))
    .option('--last', 'also if it is the last valid one: the client cannot authenticate any more', false)
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', `\n${confirmationHelp}`)
    .addHelpText('before', examples('night-job 1', 'night-job 1 --yes'))
    .action((clientId, id, options) =>
      withAdministration(options, async ({ administration: { clients, effect }, output }) => {
        const question = () => `Remove the secret ${id} of ${clientId}?`;
        if (!(await isConfirmed(options, question, 'Nothing was changed.'))) return;
        await clients.removeSecret(clientId, id, options.last);
        output.done(`Removed the secret ${id} of ${clientId}, ${effect}.`, { removed: id });
      }),
    );
}

function withId(command: Command): Command {
  return command
    .argument('<clientId>', 'clientId of the client')
    .argument('<id>', 'id of the secret, as "watchword client secrets" shows it', wholeNumber('<id>', 1));
}

function withDetails(command: Command): Command {
  return command
    .option('--days <days>', 'after how many days it ends; 0 = never', wholeNumber('--days', 0))
    .option('--description <text>', 'where it is used');
}

function detailsOf(options: Options): ClientSecretDetails {
  const days = options.days as number | undefined;
  const description = options.description as string | undefined;
  return {
    ...(days !== undefined && { expires: days === 0 ? 0 : Date.now() + days * day }),
    ...(description !== undefined && { description }),
  };
}
