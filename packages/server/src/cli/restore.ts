import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import { auditRestore, commandLineCaller, renewAllSecrets } from '@watchword/protocol';
import { type EndedByRestore, restoreSqlite, type Store } from '@watchword/store-sql';
import type { Command } from 'commander';
import { argon2Hasher } from '../modules/authentication/password-hasher.ts';
import { systemClock, systemRandom } from '../system.ts';
import { isConfirmed } from './confirm.ts';
import { examples } from './examples.ts';
import { configurationOf, databaseCommand } from './options.ts';
import { createOutput } from './output.ts';
import { printRestored, type RestoredRecords, readRecords } from './restored.ts';

const help = `
All tokens, grants, codes, login sessions and remembered consents of the backup end, because they could have been revoked
since the backup. Secrets and passwords are those of the backup; --rotate-secrets replaces all of them.
Stop the server first. The database is replaced in one step, at the end.
If there is a database, the command asks for confirmation at a terminal, unless --yes or --json is given. In a script it does
not ask.`;

export function restoreCommand(): Command {
  return databaseCommand('restore', 'replace the database by a backup')
    .argument('<file>', 'path of the backup; the file is not changed')
    .addHelpText('after', examples('watchword-backup.db', 'watchword-backup.db --rotate-secrets --yes'))
    .option('--keep-tokens', 'keep tokens, grants and consents valid, also those that ended after the backup')
    .option('--rotate-secrets', 'replace every secret and every password, and print the new ones')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .action(async (backup, options) => {
      const { configuration } = await configurationOf(options);
      const { database } = configuration;
      const tokensKept = options.keepTokens === true;
      const secretsRotated = options.rotateSecrets === true;
      const isJson = options.json === true;
      const question = () => `Replace ${database} by the backup ${backup}?`;
      if (existsSync(database) && !(await isConfirmed(options, question, 'Nothing was restored.'))) return;
      const { value, ...report } = await restoreSqlite(
        { file: database, from: backup, clock: systemClock, keepTokens: tokensKept },
        (store, ended) => prepare(store, basename(backup), { tokensKept, secretsRotated, ...ended }),
      );
      const restored = { database, backup, tokensKept, secretsRotated, ...value, ...report };
      printRestored(createOutput(isJson, options.io), isJson, restored);
    });
}

interface Facts extends EndedByRestore {
  readonly tokensKept: boolean;
  readonly secretsRotated: boolean;
}

/** Records the restore in the audit log, and replaces secrets if the options ask for it. */
async function prepare(store: Store, backup: string, facts: Facts): Promise<RestoredRecords> {
  const caller = commandLineCaller(userInfo().username);
  const { hash } = argon2Hasher({ random: systemRandom, concurrency: 1 });
  const deps = { ...store, random: systemRandom, hashPassword: hash };
  await auditRestore(caller, deps, backup, { ...facts });
  return readRecords(store, facts.secretsRotated ? await renewAllSecrets(caller, deps) : []);
}
