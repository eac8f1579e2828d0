import { auditCsv, auditCsvHead } from '@watchword/admin-client';
import { auditActions, auditKinds } from '@watchword/administration';
import type { AuditKind } from '@watchword/protocol';
import { printableJson } from '@watchword/server/runtime/log/printable';
import { Command, Option } from 'commander';
import { recordCommand, withAdministration } from '../administration/with-administration.ts';
import { examples } from '../command/examples.ts';
import { limitOf, withLimit } from '../command/paging.ts';
import { timeOption } from '../command/times.ts';
import { personOf, withPerson } from './people/person-option.ts';

const columns = [
  'time',
  'actor',
  'actorAuthority',
  'clientId',
  'clientName',
  'source',
  'action',
  'recordType',
  'recordName',
];

const help = `
Of several options all must fit. --lines prints one JSON object in a line for each event, for a log system, and --csv a table with exact times,
in which no text is a formula of a spreadsheet. Both have the same limit as --json. An event has no secret and no token.`;

export function auditCommand(): Command {
  const command = new Command('audit')
    .description('read who changed what, and who logged in')
    .addHelpText('before', examples('list --since 2026-11-22T20:00Z', 'list --person emma --kind logins'));
  return command.addCommand(listCommand());
}

function listCommand(): Command {
  return withPerson(withLimit(recordCommand('list', 'list events of the audit log, the newest first')))
    .option('--client <clientId>', 'only events of requests that used this client, and changes of it')
    .addOption(
      new Option(
        '--kind <kind>',
        'only changes of records, or only logins, logouts, grants and withdrawals',
      ).choices(auditKinds),
    )
    .addOption(new Option('--action <action>', 'only events with this action').choices(auditActions))
    .option('--actor <text>', 'only events whose actor has this text in the name')
    .option('--since <time>', 'only events of this time or later', timeOption('--since'))
    .option('--until <time>', 'only events before this time', timeOption('--until'))
    .addOption(
      new Option('--lines', 'print one JSON object in a line for each event').default(false).conflicts('csv'),
    )
    .option('--csv', 'print comma-separated values', false)
    .addHelpText('after', help)
    .addHelpText(
      'before',
      examples(
        '--client night-job --since 2026-11-22T20:00Z',
        '--person emma --identity-provider https://idp.example.org --json',
        '--since 2026-11-22T20:00Z --lines > audit.jsonl',
      ),
    )
    .action((options) =>
      withAdministration(options, async ({ administration: { auditEvents }, output }) => {
        const { client, kind, actor, since, until, lines, csv, io } = options;
        const selected = {
          client,
          kind: kind as AuditKind | undefined,
          action: auditActions.find((each) => each === options.action),
          actor,
          since,
          until,
          person: personOf(options),
        };
        const isFile = lines || csv;
        const found = await auditEvents.list(
          selected,
          limitOf(isFile ? { ...options, json: true } : options),
        );
        if (!isFile) return output.list(found.rows, columns, found);
        if (csv) io.stdout.write(`${auditCsvHead}${auditCsv(found.events)}`);
        else for (const event of found.rows) io.stdout.write(`${printableJson(event, 0)}\n`);
        return output.part(found);
      }),
    );
}
