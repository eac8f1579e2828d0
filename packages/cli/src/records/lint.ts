import type { LintedRecord } from '@watchword/admin-client';
import { profiles, type StricterProfile, shown } from '@watchword/protocol';
import { Option } from 'commander';
import { ofEverybody, remoteCommand, withAdministration } from '../administration/with-administration.ts';
import { exitCodes } from '../command/error-words.ts';
import { examples } from '../command/examples.ts';
import { UsageError } from '../command/usage-error.ts';

const help = `
Each finding has the rule, the section of the specification that has it, and the command that mends the record; words in capitals are
for you to replace. Nothing is changed. It exits with 0 if nothing is found, with 3 if something is, with 1 if it failed.

Without --url the command reads a database, and the settings of its own configuration; after "watchword login" it works on that server,
unless a database is named. An administrator sees the settings of a server too. Its ${ofEverybody}`;

const stricter = profiles.filter((profile) => profile !== 'compatible');

/** `watchword lint` */
export function lintCommand() {
  const option = new Option(
    '--profile <profile>',
    `profile of OAuth whose rules are looked for: ${stricter.join(', ')}; that of the server when absent, or oauth-2.1 if that is compatible`,
  );
  // Not the setting of this name.
  option.attributeName = () => 'against';
  return remoteCommand(
    'lint',
    'list what a stricter profile forbids in clients, resource servers and settings',
  )
    .addOption(option)
    .addHelpText('after', help)
    .addHelpText('before', examples('', '--profile mcp', '--profile oauth-2.1 --json'))
    .action((options) =>
      withAdministration(options, async ({ administration, output }) => {
        const records = await administration.lint(stricterProfile(options.against));
        const findings = records.flatMap(findingsOf);
        output.done(findings.length === 0 ? 'Nothing was found.' : inWords(findings), findings);
        if (findings.length > 0) options.io.exitCode = exitCodes.findings;
      }),
    );
}

/** @throws UsageError */
function stricterProfile(given: unknown): StricterProfile | undefined {
  const known = stricter.find((profile) => profile === given);
  if (given === undefined || known !== undefined) return known;
  throw new UsageError(`--profile: expected one of ${stricter.join(', ')}, got ${shown(String(given), 80)}`);
}

/** Each finding with its record. */
function findingsOf({ findings, ...record }: LintedRecord) {
  return findings.map((finding) => ({ ...record, ...finding }));
}

type Finding = ReturnType<typeof findingsOf>[number];

const nouns = { settings: 'settings', resourceServer: 'resource server', client: 'client' } as const;

/** Each in a paragraph of its own. */
function inWords(findings: readonly Finding[]): readonly string[] {
  return findings.flatMap((finding, index) => {
    const { recordType, name, field, problem, profile, rule, section, advice, command } = finding;
    return [
      ...(index === 0 ? [] : ['']),
      `${nouns[recordType]}${name === null ? '' : ` ${name}`}: ${field} ${problem}`,
      `  ${profile}, ${rule}: ${section}`,
      `  ${advice}`,
      ...(command === null ? [] : [`  ${command}`]),
    ];
  });
}
