import { Command } from 'commander';
import { administratorCommand, withAdministration } from '../administration/with-administration.ts';
import { confirmationHelp, isConfirmed } from '../command/confirm.ts';
import { examples } from '../command/examples.ts';
import type { Options } from '../command/options.ts';
import { limitOf, withLimit } from '../command/paging.ts';

const hosts = 'host name such as example.com, or *.example.com for all names below it';

/** Commands for clients that documents describe (client ID metadata documents), and for their hosts. */
export function clientHostCommand(): Command {
  return new Command('client-host')
    .description('allow and block hosts whose clients need no registration, and list these clients')
    .addHelpText('before', examples('list', 'block evil.example --note "Phishing."', 'clients'))
    .addCommand(listCommand())
    .addCommand(clientsCommand())
    .addCommand(decideCommand('allow'))
    .addCommand(decideCommand('block'))
    .addCommand(removeCommand());
}

function listCommand(): Command {
  return withLimit(
    administratorCommand('list', 'list the hosts that administrators allowed or blocked', 'records:all'),
  )
    .addHelpText('after', '\nThe setting clients.metadataDocuments decides about all other hosts.')
    .addHelpText('before', examples(''))
    .action((options) =>
      withAdministration(options, async ({ administration: { clientHosts }, output }) => {
        const found = await clientHosts.list(limitOf(options));
        output.list(found.rows, ['pattern', 'effect', 'note', 'modificationDate'], found);
      }),
    );
}

function clientsCommand(): Command {
  return withLimit(
    administratorCommand(
      'clients',
      'list the clients that documents describe, with their use',
      'records:all',
    ),
  )
    .addHelpText(
      'after',
      '\nThose to which a user has consented. "watchword client delete CLIENT_ID" ends one with all that users gave it.',
    )
    .addHelpText('before', examples('', '--json'))
    .action((options) =>
      withAdministration(options, async ({ administration: { clientHosts }, output }) => {
        const found = await clientHosts.clients(limitOf(options));
        output.list(found.rows, ['clientId', 'clientName', 'allowed', 'users', 'lastIssued'], found);
      }),
    );
}

function decideCommand(effect: 'allow' | 'block'): Command {
  const summary =
    effect === 'allow'
      ? 'allow the clients of hosts, also where the setting does not'
      : 'block the clients of hosts, and end those that users gave access';
  return administratorCommand(effect, summary, 'records:all')
    .argument('<host>', hosts)
    .option('--note <text>', 'why, for other administrators')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `
Of several hosts that match, the most specific one decides. A client that is not allowed any more is deleted, with all that
users gave it. ${confirmationHelp}`,
    )
    .addHelpText('before', examples(effect === 'allow' ? 'tool.example' : "'*.evil.example' --yes"))
    .action((host: string, options: Options) =>
      withAdministration(options, async ({ administration: { clientHosts, effect: when }, output }) => {
        const question = () => `Block ${host}? Its clients lose all that users gave them.`;
        if (effect === 'block' && !(await isConfirmed(options, question, 'Nothing was changed.'))) return;
        const { note = '' } = options;
        const { pattern, ended } = await clientHosts.decide(host, { effect, note: String(note) });
        const done = effect === 'allow' ? 'Allowed' : 'Blocked';
        const clients = ended === 0 ? '' : `, and ended ${ended} ${ended === 1 ? 'client' : 'clients'}`;
        output.done(`${done} ${pattern}${clients}, ${when}.`, { pattern, effect, ended });
      }),
    );
}

function removeCommand(): Command {
  return administratorCommand(
    'remove',
    'decide nothing about hosts any more: the setting does again',
    'records:all',
  )
    .argument('<host>', hosts)
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `\nClients that are allowed by this alone are deleted, with all that users gave them. ${confirmationHelp}`,
    )
    .addHelpText('before', examples('tool.example'))
    .action((host: string, options: Options) =>
      withAdministration(options, async ({ administration: { clientHosts, effect }, output }) => {
        const question = () => `Remove ${host} from the list?`;
        if (!(await isConfirmed(options, question, 'Nothing was changed.'))) return;
        await clientHosts.remove(host);
        output.done(`Removed ${host}, ${effect}.`, { removed: host });
      }),
    );
}
