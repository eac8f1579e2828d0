import type { LoginSession } from '@watchword/admin-client';
import { Command } from 'commander';
import { administratorCommand, withAdministration } from '../../administration/with-administration.ts';
import { examples } from '../../command/examples.ts';
import type { Row } from '../../command/output.ts';
import { limitOf, withLimit } from '../../command/paging.ts';
import { timeOption } from '../../command/times.ts';
import { uuid } from '../../command/uuid.ts';
import { personOf, withPerson } from './person-option.ts';

const columns = (sessions: readonly Row[]) => [
  'id',
  'resourceOwnerId',
  'identityProvider',
  'authenticator',
  'device',
  'source',
  // Without a database of places, none is known.
  ...(sessions.some((session) => placeOf(session) !== '') ? [{ name: 'place', inWords: placeOf }] : []),
  'creationDate',
  'lastUsed',
  'expires',
];

/** Town and country in English, as all of the table is. */
function placeOf(session: Row): string {
  const places = session.places as LoginSession['places'];
  return places.map((names) => names.en ?? Object.values(names)[0] ?? '').join(', ');
}

export function sessionCommand(): Command {
  return new Command('session')
    .description('list login sessions of users, and end them')
    .addHelpText('before', examples('list --person emma', 'end 019b76da-a800-7a57-899d-6e21a5a8121f'))
    .addCommand(listCommand())
    .addCommand(endCommand());
}

function listCommand(): Command {
  return withPerson(
    withLimit(administratorCommand('list', 'list login sessions, the newest first', 'grants')),
  )
    .option('--client <clientId>', 'only sessions in which this client was granted access')
    .option('--since <time>', 'only sessions that began at this time or later', timeOption('--since'))
    .addHelpText('after', '\nOf several options all must fit.')
    .addHelpText('before', examples('', '--person emma --json', '--client my-app --since 2026-11-22T20:00Z'))
    .action((options) =>
      withAdministration(options, async ({ administration: { loginSessions }, output }) => {
        const { client, since } = options;
        const found = await loginSessions.list(
          { person: personOf(options), client, since },
          limitOf(options),
        );
        output.list(found.rows, columns(found.rows), found);
      }),
    );
}

function endCommand(): Command {
  return administratorCommand('end', 'end a login session: the user must log in again', 'grants')
    .argument(
      '<id>',
      'id, as "watchword session list" prints it',
      uuid('the id of a session, as "watchword session list" prints it'),
    )
    .addHelpText('after', '\nGrants and tokens stay, as after a logout: "watchword grant end" ends them.')
    .addHelpText('before', examples('019b76da-a800-7a57-899d-6e21a5a8121f'))
    .action((id, options) =>
      withAdministration(options, async ({ administration: { loginSessions, effect }, output }) => {
        await loginSessions.end(id);
        output.done(`Ended ${id}, ${effect}.`, { ended: id });
      }),
    );
}
