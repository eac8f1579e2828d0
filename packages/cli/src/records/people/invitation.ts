import { Command } from 'commander';
import { administratorCommand, withAdministration } from '../../administration/with-administration.ts';
import { examples } from '../../command/examples.ts';
import { repeated } from '../../command/options.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { UsageError } from '../../command/usage-error.ts';
import { uuid } from '../../command/uuid.ts';

const day = 86_400;
const maxDays = 90;
const linkNote = 'With the link the person makes an account, once. It is shown only now.';
const mailedNote = 'With the link in the mail the person makes an account, once.';

export function invitationCommand(): Command {
  return new Command('invitation')
    .description('invite people to make local accounts')
    .addHelpText('before', examples('create --group staff --note "Emma Smith"', 'list'))
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  return administratorCommand('create', 'invite a person by mail, or print the link', 'accounts')
    .option('--email <address>', 'e-mail address of the person: the link is mailed, if mail is set up')
    .option('--locale <tag>', 'language of the mail, such as nl or de-AT; English when absent')
    .option('--group <name>', 'a group; may be repeated', repeated)
    .option('--role <name>', 'a role; may be repeated', repeated)
    .option('--passkey', 'the account is made with a passkey, and has no password')
    .option('--note <text>', 'for administrators, such as the name of the person')
    .option('--days <number>', `days for which the link is valid, 1 to ${maxDays}`, days, 7)
    .addHelpText(
      'after',
      `\nA link that is not mailed is printed, once. Send it over a channel that only the person can read.`,
    )
    .addHelpText(
      'before',
      examples('--group staff --note "Emma Smith"', '--email emma@example.org --locale nl --days 2'),
    )
    .action((options) =>
      withAdministration(options, async ({ administration: { invitations }, output }) => {
        const made = await invitations.create({
          email: options.email ?? '',
          locale: options.locale ?? '',
          groups: options.group ?? [],
          roles: options.role ?? [],
          passkey: options.passkey === true,
          note: options.note ?? '',
          lifetime: options.days * day,
        });
        const { id, link } = made;
        if (link === undefined) output.record({ ...made }, mailedNote);
        else output.issued({ ...made }, { id, link }, linkNote);
      }),
    );
}

function days(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= maxDays) return number;
  throw new UsageError(`--days: expected a whole number from 1 to ${maxDays}, got ${text}`);
}

function listCommand(): Command {
  return withLimit(administratorCommand('list', 'list invitations that wait', 'accounts'))
    .addHelpText('before', examples('', '--json'))
    .action((options) =>
      withAdministration(options, async ({ administration: { invitations }, output }) => {
        const found = await invitations.list(limitOf(options));
        output.list(found.rows, ['id', 'email', 'note', 'groups', 'roles', 'invitedBy', 'expires'], found);
      }),
    );
}

function revokeCommand(): Command {
  return administratorCommand('revoke', 'withdraw an invitation: its link is of no use any more', 'accounts')
    .argument(
      '<id>',
      'id, as "watchword invitation list" prints it',
      uuid('the id of an invitation, as "watchword invitation list" prints it'),
    )
    .addHelpText('before', examples('019b76da-a800-7a57-899d-6e21a5a8121f'))
    .action((id, options) =>
      withAdministration(options, async ({ administration: { invitations, effect }, output }) => {
        await invitations.revoke(id);
        output.done(`Withdrew ${id}, ${effect}.`, { revoked: id });
      }),
    );
}
