import { everyRecord } from '@watchword/administration';
import { type Client, canSign, type Scopes, withheldScopesOf } from '@watchword/protocol';
import { ConfigurationError } from '@watchword/server/configuration-error';
import { keyHolders, openCustody } from '@watchword/server/core/signing';
import { systemClock, systemRandom } from '@watchword/server/system';
import {
  checkDatabase,
  type DatabaseCheck,
  DatabaseOpenError,
  dialectOf,
  openStore,
  type Store,
} from '@watchword/store-sql';
import { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { databaseOf, type NamedDatabase, withSettings } from '../command/options.ts';
import { createOutput } from '../command/output.ts';
import { custodyPaths } from '../keys/key-command.ts';
import { expiringSecrets } from '../records/clients/expiring-secrets.ts';
import { weakSecretsOf } from '../records/clients/weak-secrets.ts';
import { foundInRecords } from '../records/found-in-records.ts';

const help = `
Of a SQLite database the command reads every page and every index. Of a PostgreSQL database it checks what a server needs:
tables, rights, and the settings on which the durability of tokens depends. PostgreSQL finds damage with pg_amcheck. Of both it
checks that the keys that sign tokens can be used with the settings of the command, which are those of the server. It names records
whose imported secret can be guessed, clients whose last secret expires within 30 days, and the clients that get an e-mail address, a postal address, a phone number or groups although
no administrator confirmed them.`;

export function checkCommand(): Command {
  const command = new Command('check').description(
    'search for what is wrong with the database, such as damage',
  );
  return withSettings(command, ['database', 'databaseUrlFile', ...custodyPaths])
    .addHelpText('after', help)
    .addHelpText('before', examples('--database data/watchword.db', '--database-url-file database-url'))
    .action(async (options) => {
      const target = await databaseOf(options);
      const { configuration, named, shown: database } = target;
      const report = await checkDatabase({ ...named, clock: systemClock });
      // Of a damaged database nothing else is read.
      const isDamaged = report.findings.length > 0;
      const signing = isDamaged ? { findings: [], warnings: [] } : await checkSigning(target);
      const weakSecrets = isDamaged ? [] : await weakSecretsOf(target);
      const unconfirmed = isDamaged ? [] : await foundInRecords(target, keptClients);
      const expiring = isDamaged ? [] : await foundInRecords(target, expiringSecrets);
      const words = [
        ...inWords[dialectOf(configuration.database)](database, report),
        ...signingInWords(signing),
        ...(weakSecrets.length === 0 ? [] : [weakSecretsTitle, ...indented(weakSecrets)]),
        ...unconfirmedInWords(unconfirmed),
        ...(expiring.length === 0 ? [] : [expiringTitle, ...indented(expiring)]),
      ];
      const findings = [...report.findings, ...signing.findings];
      const warnings = [...report.warnings, ...signing.warnings, ...unconfirmed, ...expiring];
      createOutput(options.json === true, options.io).done(words, {
        database,
        ...report,
        findings,
        warnings,
        weakSecrets,
      });
      if (findings.length > 0) options.io.exitCode = 1;
    });
}

const weakSecretsTitle = 'Secrets of fewer than 16 characters can be guessed. Replace them:';

const inWords = {
  sqlite(database: string, { findings }: DatabaseCheck): string[] {
    if (findings.length === 0) return [`${database} is not damaged.`];
    const advice =
      'Its data can be wrong. Stop the server and restore the last backup with "watchword restore".';
    return [`${database} is damaged:`, ...indented(findings), advice];
  },

  postgresql(database: string, { checked, findings, warnings }: DatabaseCheck): string[] {
    return [
      `Checked ${database}:`,
      ...indented(checked),
      ...(findings.length === 0 ? ['Servers can use it.'] : ['Wrong:', ...indented(findings)]),
      ...(warnings.length === 0 ? [] : ['To improve:', ...indented(warnings)]),
    ];
  },
};

function signingInWords({ findings, warnings }: SigningCheck): string[] {
  return [
    ...(findings.length === 0 ? [] : ['Servers with these settings do not start:', ...indented(findings)]),
    ...(warnings.length === 0 ? [] : ['The keys that sign tokens were not checked:', ...indented(warnings)]),
  ];
}

function unconfirmedInWords(clients: readonly string[]): string[] {
  if (clients.length === 0) return [];
  const advice = 'Check the redirect URIs of each, and confirm it with "watchword client confirm".';
  return ['Clients that no administrator confirmed:', ...indented(clients), advice];
}

/** Clients that get data of users only because they were registered before an administrator had to confirm that. */
async function* keptClients({ clients }: Store): AsyncGenerator<string, void> {
  for await (const client of everyRecord((page) => clients.list(page))) {
    const scopes = client.keepsUserData ? withheldScopesOf({ ...client, keepsUserData: false }) : [];
    if (scopes.length > 0) yield keptInWords(client, scopes);
  }
}

const expiringTitle = 'Clients that need another secret, which "watchword client add-secret" gives them:';

function keptInWords({ clientId }: Client, scopes: Scopes): string {
  return `the client ${clientId} gets ${scopes.join(', ')} without a confirmation, because it was registered before one was needed`;
}

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}

/** What is wrong with the private halves of signing keys, with advice. */
interface SigningCheck {
  /** Why a server with the settings of this command does not start. */
  readonly findings: readonly string[];
  /** What can be wrong with the settings of this command only. */
  readonly warnings: readonly string[];
}

/** Checks that the keys that sign can be used. It changes nothing. */
async function checkSigning({ configuration, named }: NamedDatabase): Promise<SigningCheck> {
  const nothing = { findings: [], warnings: [] };
  try {
    const holders = await keyHolders(configuration);
    const store = await openStore({ ...named, clock: systemClock, isMachineClock: true });
    try {
      const now = store.clock.now();
      const keys = (await store.signingKeys.list()).filter((key) => canSign(key, now));
      if (keys.length === 0) return nothing;
      const custody = await openCustody(holders, store, systemRandom, 'keep');
      const findings = keys.flatMap((key) => {
        const problem = custody.problemOf(key);
        return problem === undefined ? [] : [`the signing key ${key.kid} (${key.algorithm}): ${problem}`];
      });
      return { ...nothing, findings };
    } finally {
      await store.close();
    }
  } catch (error) {
    if (error instanceof ConfigurationError) {
      return { ...nothing, warnings: error.problems.map(({ path, problem }) => `${path}: ${problem}`) };
    }
    // A database without tables has no keys.
    if (error instanceof DatabaseOpenError) return nothing;
    throw error;
  }
}
