import { Command } from 'commander';
import { administratorCommand, withAdministration } from '../../administration/with-administration.ts';
import { confirmationHelp, isConfirmed } from '../../command/confirm.ts';
import { examples } from '../../command/examples.ts';
import type { Options } from '../../command/options.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { UsageError } from '../../command/usage-error.ts';

const hosts = 'host name such as example.com, or *.example.com for all names below it';

/** Commands for clients that nobody registered (client ID metadata documents, dynamic registration), and for their hosts. */
export function clientHostCommand(): Command {
  return new Command('client-host')
    .description('allow and block hosts whose clients need no registration, list these clients, and end them')
    .addHelpText(
      'before',
      examples('list', 'block evil.example --note "Phishing."', 'clients', 'end tool.example'),
    )
    .addCommand(listCommand())
    .addCommand(clientsCommand())
    .addCommand(endCommand())
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
      'list the clients that nobody registered, with their use, by host',
      'records:all',
    ),
  )
    .option('--host <host>', 'only those whose document is at this host')
    .option('--registered', 'only those that registered themselves')
    .addHelpText(
      'after',
      '\nOne is ended with all that users gave it by "watchword client delete CLIENT_ID", for one user by "watchword grant end".',
    )
    .addHelpText('before', examples('', '--host tool.example', '--json'))
    .action((options) =>
      withAdministration(options, async ({ administration: { clientHosts }, output }) => {
        const { host, registered } = options;
        const found = await clientHosts.clients(limitOf(options), {
          ...(host && { host }),
          ...(registered && { registered: true }),
        });
        output.list(found.rows, ['host', 'clientId', 'clientName', 'allowed', 'users', 'lastIssued'], found);
      }),
    );
}

function endCommand(): Command {
  return administratorCommand(
    'end',
    'end clients that nobody registered, with all that users gave them',
    'records:all',
  )
    .argument('[host]', 'those whose document is at this host, with its port if it has one')
    .option('--registered', 'those that registered themselves')
    .option('--all', 'all of them')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `
All grants, tokens and consents of them end at once. A client of a document comes back when a user consents again, unless its
host is blocked; one that registered itself must register again. ${confirmationHelp}`,
    )
    .addHelpText('before', examples('tool.example', '--registered', '--all --yes'))
    .action((host: string | undefined, options: Options) =>
      withAdministration(options, async ({ administration: { clientHosts, effect }, output }) => {
        const selected = [
          ...(host === undefined ? [] : [{ host }]),
          ...(options.registered ? [{ registered: true }] : []),
          ...(options.all ? [{ all: true }] : []),
        ];
        const [one] = selected;
        if (one === undefined || selected.length > 1)
          throw new UsageError('Say which clients end: a host, --registered or --all, and one of them.');
        const what =
          host === undefined ? (options.all ? 'all of them' : 'those that registered themselves') : host;
        const question = () =>
          `End the clients that nobody registered: ${what}? They lose all that users gave them.`;
        if (!(await isConfirmed(options, question, 'Nothing was changed.'))) return;
        const { clients } = await clientHosts.end(one);
        output.done(`Ended ${clients} ${clients === 1 ? 'client' : 'clients'}, ${effect}.`, { clients });
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
