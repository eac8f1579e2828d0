import { Command } from 'commander';
import { administratorCommand, withAdministration } from '../../administration/with-administration.ts';
import { confirmationHelp, isConfirmed } from '../../command/confirm.ts';
import { examples } from '../../command/examples.ts';
import { wholeNumber } from '../../command/options.ts';
import { limitOf, withLimit } from '../../command/paging.ts';

const tokenNote = 'The token is shown only once. Whoever has it can register clients.';
const day = 86_400;

/** Commands for initial access tokens, with which clients register themselves (RFC 7591). */
export function initialTokenCommand(): Command {
  return new Command('initial-token')
    .description('make, list and end tokens with which clients register themselves')
    .addHelpText('before', examples('create --note "Build server" --days 30', 'list'))
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(endCommand());
}

function createCommand(): Command {
  return administratorCommand('create', 'make an initial access token; prints it', 'records:all')
    .option('--note <text>', 'who gets it, for other administrators', '')
    .option('--days <days>', 'for how long it is valid; 0 = until it is ended', wholeNumber('--days', 0), 30)
    .option(
      '--max-clients <number>',
      'how many clients can be registered with it; 0 = any number',
      wholeNumber('--max-clients', 0),
      0,
    )
    .addHelpText('after', '\nIt is needed where the setting clients.registration is tokens.')
    .addHelpText('before', examples('--note "Build server" --days 30 --max-clients 10'))
    .action((options) =>
      withAdministration(options, async ({ administration: { initialTokens }, output }) => {
        const { note, days, maxClients } = options;
        const { token, ...made } = await initialTokens.create({ note, maxClients, lifetime: days * day });
        output.issued({ ...made }, { id: made.id, token }, tokenNote);
      }),
    );
}

function listCommand(): Command {
  return withLimit(
    administratorCommand('list', 'list initial access tokens, also those that have expired', 'records:all'),
  )
    .addHelpText('before', examples(''))
    .action((options) =>
      withAdministration(options, async ({ administration: { initialTokens }, output }) => {
        const found = await initialTokens.list(limitOf(options));
        output.list(found.rows, ['id', 'note', 'clients', 'maxClients', 'creationDate', 'expires'], found);
      }),
    );
}

function endCommand(): Command {
  return administratorCommand(
    'end',
    'end an initial access token; clients that registered with it stay',
    'records:all',
  )
    .argument('<id>', 'id of the token, as list shows it')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', `\n${confirmationHelp}`)
    .addHelpText('before', examples('0198aaaa-0000-7000-8000-000000000000 --yes'))
    .action((id: string, options) =>
      withAdministration(options, async ({ administration: { initialTokens, effect }, output }) => {
        const question = () => `End the initial access token ${id}?`;
        if (!(await isConfirmed(options, question, 'Nothing was changed.'))) return;
        await initialTokens.end(id);
        output.done(`Ended ${id}, ${effect}.`, { ended: id });
      }),
    );
}
