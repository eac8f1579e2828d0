import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { restoreSqlite } from '@watchword/store-sql';
import type { Command } from 'commander';
import { systemClock } from '../system.ts';
import { confirmationHelp, isConfirmed } from './confirm.ts';
import { examples } from './examples.ts';
import { databaseCommand, filePath } from './options.ts';
import { createOutput } from './output.ts';
import {
  endedInWords,
  printRecords,
  recordRestore,
  secretsInWords,
  tokensKeptWarning,
  withRestoreOptions,
} from './restored-records.ts';
import { sqliteFileOf } from './sqlite-file.ts';

const help = `
All tokens, grants, codes, login sessions and remembered consents of the backup end, because they could have been revoked
since the backup. Secrets and passwords are those of the backup; --rotate-secrets replaces all of them.
Stop the server first. The database is replaced in one step, at the end.
If there is a database: ${confirmationHelp}`;

const restoreAdvice =
  'restore: PostgreSQL restores its databases with its own tools: pg_restore, or recovery from a base backup. Stop all servers, restore with them, and then run "watchword restored", which ends the tokens of the backup, before a server starts.';

export function restoreCommand(): Command {
  return withRestoreOptions(databaseCommand('restore', 'replace a SQLite database by a backup'))
    .argument('<file>', 'path of the backup; the file is not changed', filePath('restore'))
    .addHelpText('after', examples('watchword-backup.db', 'watchword-backup.db --rotate-secrets --yes'))
    .addHelpText('after', help)
    .action(async (backup, options) => {
      const database = await sqliteFileOf(options, restoreAdvice);
      const tokensKept = options.keepTokens === true;
      const secretsRotated = options.rotateSecrets === true;
      const isJson = options.json === true;
      const question = () => `Replace ${database} by the backup ${backup}?`;
      if (existsSync(database) && !(await isConfirmed(options, question, 'Nothing was restored.'))) return;
      const { value, ...report } = await restoreSqlite(
        { file: database, from: backup, clock: systemClock, keepTokens: tokensKept },
        (store, ended) => recordRestore(store, basename(backup), { tokensKept, secretsRotated, ...ended }),
      );
      const { ended, damaged = null } = report;
      const output = createOutput(isJson, options.io);
      output.done(
        [
          `${database} is restored from ${backup}.`,
          ...(damaged === null ? [] : [`The damaged database is kept as ${damaged}.`]),
          tokensKept ? tokensKeptWarning : endedInWords(ended),
          secretsInWords(secretsRotated, 'restore'),
        ],
        { database, backup, tokensKept, secretsRotated, ...value, ...report, damaged },
      );
      if (!isJson) printRecords(output, value, secretsRotated);
    });
}
