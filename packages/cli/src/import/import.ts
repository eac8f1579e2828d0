import {
  commandLineCaller,
  type ImportedRecord,
  type ImportReport,
  importRecords,
} from '@watchword/administration';
import { accountIdentityProvider } from '@watchword/protocol';
import { registrationRulesOf } from '@watchword/server/core/clients/registration-rules';
import { printableJson } from '@watchword/server/runtime/log/printable';
import { systemRandom } from '@watchword/server/system';
import type { Command } from 'commander';
import { recordCommand } from '../administration/with-administration.ts';
import { examples } from '../command/examples.ts';
import { operator } from '../command/operator.ts';
import { filePath, type Options } from '../command/options.ts';
import { UsageError } from '../command/usage-error.ts';
import { withStore } from '../command/with-store.ts';
import { passwordsOfCommand, progressOn } from './command-parts.ts';

const help = `
The file is JSON: {"resourceServers": [{"key", "secret", "name", "scopes", ..., "clients": [{"clientId", "secret", ...}]}]}. The
fields are those of the administration interface, and so are their rules. "watchword import --schema" prints the JSON Schema.

All records are imported, or none of them. A record that exists is changed to the fields of the file; its secret and its owner
must be the same. A second import changes nothing. Secrets are stored as hashes. One of fewer than 16 characters can be guessed, and is
refused; with --allow-weak-secrets it gets a slow hash, which makes it costly for the server too: rotate it soon.

With --accounts each line of the file is the JSON of a local account: {"username", "passwordHash", "email", "groups", "factors", ...}. The hash can be
argon2, bcrypt, scrypt or PBKDF2, as most products export it; the first login replaces it. Factors are passkeys and apps for one-time codes, whose
secrets are sealed at once. A thousand lines are stored together, or none of them. An account
that exists stays as it is, so the same command goes on after an error. With --url or --profile they are made on a server, by an administrator or a client with
the right accounts:write (WATCHWORD_ADMIN_CLIENT_ID and WATCHWORD_ADMIN_CLIENT_SECRET, or WATCHWORD_ADMIN_TOKEN). They come without hashes and
factors then: their users set a password with "watchword user reset-password", or a mail.

With --from the file is an export of another product: a realm of Keycloak, clients of Hydra,
clients or users of Auth0, or a dump of the MySQL or MariaDB database of apis. Names, secrets, hashes of passwords, roles and groups stay. The report says of
each record what came, what was left out and why, and what you have to do.`;

export function importCommand(): Command {
  return recordCommand('import', 'import resource servers and clients with their secrets, or accounts', help)
    .argument('[file]', 'JSON file, or lines of JSON; - for standard input', filePath('import'))
    .option('--dry-run', 'only report what the import would do', false)
    .option('--accounts', 'import local accounts, each on a line; with --url without their hashes', false)
    .option('--allow-weak-secrets', 'also import secrets of fewer than 16 characters', false)
    .option('--schema', 'print the JSON Schema of the file', false)
    .option('--from <product>', 'the file is an export of keycloak, hydra or auth0, or a dump of apis')
    .option('--tokens', 'with --from apis: import tokens too, which go on working', false)
    .option(
      '--identity-provider <name>',
      'with --from apis: that of its users and record owners',
      accountIdentityProvider,
    )
    .option(
      '--report <file>',
      'with --from: write what came of each record, and what is to do, as JSON',
      filePath('--report'),
    )
    .option(
      '--mapping <file>',
      'with --from: write the new id of each old one, as JSON',
      filePath('--mapping'),
    )
    .option('--skip-refused', 'with --from: import the rest where a record is refused', false)
    .addHelpText(
      'before',
      examples(
        'records.json --dry-run',
        '- < records.json',
        '--accounts people.jsonl --dry-run',
        '--from keycloak realm.json --dry-run --report report.json',
      ),
    )
    .action(async (file, options) => {
      if (options.schema === true) {
        const { accountLineSchema, importSchema } = await import('./import-schema.ts');
        const schema = options.accounts ? accountLineSchema() : importSchema();
        options.io.stdout.write(`${printableJson(schema)}\n`);
        return;
      }
      if (file === undefined) throw new UsageError('expected the name of a file, or - for standard input');
      if (!options.accounts) checkLocal(options);
      if (options.from !== undefined) {
        const { moveIn } = await import('./from/move-in.ts');
        return moveIn(file, { ...options, from: options.from });
      }
      if (options.accounts) {
        const { importAccounts } = await import('./import-accounts.ts');
        return importAccounts(file, options);
      }
      const { readImport } = await import('./read-import.ts');
      const { parseImport } = await import('./parse-import.ts');
      const given = await parseImport(file, await readImport(file, options.io));
      await withStore(options, async ({ store, output, configuration }) => {
        const rules = registrationRulesOf(configuration);
        const deps = { ...store, random: systemRandom, ...rules };
        const of = given.reduce((records, { clients }) => records + 1 + clients.length, 0);
        const report = await importRecords(commandLineCaller(operator), deps, given, {
          isDryRun: options.dryRun,
          weakSecrets: options.allowWeakSecrets ? passwordsOfCommand() : undefined,
          onRecord: progressOn(options.io.stderr, of),
        });
        output.done(inWords(report), { dryRun: options.dryRun, ...report });
        if (isRefused(report)) options.io.exitCode = 1;
      });
    });
}

/** Secrets of records never come over the network. @throws UsageError */
function checkLocal({ url, login, tokenStdin }: Options): void {
  if ((url ?? login ?? tokenStdin) === undefined) return;
  throw new UsageError(
    '--url and --profile: expected --accounts too; records are imported on the database of the server',
  );
}

const conditional = {
  created: 'would create',
  changed: 'would change',
  unchanged: 'unchanged',
  refused: 'refused',
};

function inWords(report: ImportReport): string[] {
  return [...report.records.map((record) => lineOf(record, report.isStored)), summaryOf(report)];
}

function lineOf({ outcome, recordType, name, details }: ImportedRecord, isStored: boolean): string {
  const words = isStored ? outcome : conditional[outcome];
  const type = recordType === 'client' ? 'client' : 'resource server';
  const reasons = details.length === 0 ? '' : `: ${details.join('; ')}`;
  return `${words.padEnd(12)}  ${type} ${name}${reasons}`;
}

function summaryOf({ isStored, records }: ImportReport): string {
  const count = (wanted: ImportedRecord['outcome']) =>
    records.filter(({ outcome }) => outcome === wanted).length;
  const [created, changed, refused] = [count('created'), count('changed'), count('refused')];
  if (refused > 0) return `Nothing was changed, because ${refused} of ${records.length} records are refused.`;
  if (!isStored) return 'Dry run: nothing was changed.';
  return `Records: ${created} created, ${changed} changed, ${count('unchanged')} unchanged.`;
}

function isRefused({ records }: ImportReport): boolean {
  return records.some(({ outcome }) => outcome === 'refused');
}
