import type { Command } from 'commander';
import { recordCommand, withAdministration } from '../../administration/with-administration.ts';
import { confirmationHelp, isConfirmed } from '../../command/confirm.ts';
import { examples } from '../../command/examples.ts';
import { limitOf, withLimit } from '../../command/paging.ts';

/** Commands for the clients of other resource servers that can use one. */
export function otherClientsCommand(): Command {
  return withLimit(
    recordCommand('other-clients', 'list the clients of other resource servers that can use one'),
  )
    .argument('<key>', 'key of the resource server')
    .addHelpText('before', examples('my-api', 'my-api --json'))
    .action((key, options) =>
      withAdministration(options, async ({ administration: { otherClients }, output }) => {
        const found = await otherClients.list(key, limitOf(options));
        output.list(found.rows, ['clientId', 'clientName', 'scopes', 'trusted', 'owner'], found);
      }),
    );
}

export function removeOtherClientCommand(): Command {
  return recordCommand('remove-other-client', 'take a resource server away from a client of another one')
    .argument('<key>', 'key of the resource server')
    .argument('<clientId>', 'clientId of the client')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('before', examples('my-api night-job', 'my-api night-job --yes'))
    .addHelpText(
      'after',
      `
The client gets no token for the resource server any more. It keeps its own resource server and all others. ${confirmationHelp}`,
    )
    .action((key, clientId, options) =>
      withAdministration(options, async ({ administration: { otherClients, effect }, output }) => {
        const question = () => `Take ${key} away from ${clientId}?`;
        if (!(await isConfirmed(options, question, 'Nothing was changed.'))) return;
        await otherClients.remove(key, clientId);
        output.done(`Took ${key} away from ${clientId}, ${effect}.`, { removed: clientId, from: key });
      }),
    );
}
