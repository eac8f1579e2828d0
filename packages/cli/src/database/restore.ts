import { basename } from 'node:path';
import { systemClock } from '@watchword/server/system';
import { previewRestore, type RestorePreview, restoreSqlite } from '@watchword/store-sql';
import type { Command } from 'commander';
import { confirmationHelp, isConfirmed } from '../command/confirm.ts';
import { examples } from '../command/examples.ts';
import { databaseCommand, filePath } from '../command/options.ts';
import { createOutput } from '../command/output.ts';
import { warnOfOwner } from '../command/owners.ts';
import {
  endedInWords,
  printRecords,
  recordRestore,
  recordsInWords,
  sayBefore,
  secretsInWords,
  tokensKeptWarning,
  withRestoreOptions,
} from './restored-records.ts';
import { sqliteFileOf } from './sqlite-file.ts';

const help = `
All tokens, grants, codes, login sessions and remembered consents of the backup end, because they could have been revoked
since the backup. Secrets and passwords are those of the backup; --rotate-secrets replaces all of them.
Stop the server first. The database is replaced in one step, at the end, and stays beside the new one under a name with the time,
until you remove it. The command first prints how many records both have.
${confirmationHelp}`;

const restoreAdvice =
  'restore: PostgreSQL restores its databases with its own tools: pg_restore, or recovery from a base backup. Stop all servers, restore with them, and then run "watchword restored", which ends the tokens of the backup, before a server starts.';

export function restoreCommand(): Command {
  return withRestoreOptions(databaseCommand('restore', 'replace a SQLite database by a backup'))
    .argument('<file>', 'path of the backup; the file is not changed', filePath('restore'))
    .addHelpText('before', examples('watchword-backup.db', 'watchword-backup.db --rotate-secrets --yes'))
    .addHelpText('after', help)
    .action(async (backup, options) => {
      const database = await sqliteFileOf(options, restoreAdvice);
      const tokensKept = options.keepTokens === true;
      const secretsRotated = options.rotateSecrets === true;
      const isJson = options.json === true;
      const preview = await previewRestore({ file: database, from: backup });
      sayBefore(options, inWords(database, backup, preview));
      const question = () => questionInWords(database, backup, preview, tokensKept);
      if (!(await isConfirmed(options, question, 'Nothing was restored.'))) return;
      const { value, ...report } = await restoreSqlite(
        { file: database, from: backup, clock: systemClock, keepTokens: tokensKept },
        (store, ended) => recordRestore(store, basename(backup), { tokensKept, secretsRotated, ...ended }),
      );
      const { ended, kept = null, isDamaged } = report;
      const output = createOutput(isJson, options.io);
      output.done(
        [
          `${database} is restored from ${backup}.`,
          ...(kept === null ? [] : [keptInWords(kept, isDamaged)]),
          tokensKept ? tokensKeptWarning : endedInWords(ended),
          secretsInWords(secretsRotated, 'restore'),
        ],
        {
          database,
          backup,
          records: { backup: preview.backup, replaced: preview.replaced ?? null },
          backupDate: inUtc(preview.fileDate),
          lastChange: preview.lastEvent === undefined ? null : inUtc(preview.lastEvent),
          withoutLog: preview.isWithoutLog,
          tokensKept,
          secretsRotated,
          ...value,
          ended,
          kept,
          damaged: isDamaged ? kept : null,
        },
      );
      if (!isJson) printRecords(output, value, secretsRotated);
      warnOfOwner(options.io, database);
    });
}

const withoutLog =
  'It is a copy of a database file, and not one of "watchword backup". If the server ran when it was made, it lacks the changes that were in the log (-wal) beside the file.';

function inWords(database: string, backup: string, { replaced, ...preview }: RestorePreview): string[] {
  const words = [
    `The backup ${backup} has ${recordsInWords(preview.backup)}.`,
    dateInWords(preview),
    ...(preview.isWithoutLog ? [withoutLog] : []),
  ];
  if (replaced === undefined) return [...words, `There is no database at ${database} yet.`];
  const content = replaced === 'unreadable' ? 'cannot be read' : `has ${recordsInWords(replaced)}`;
  return [...words, `The database ${database} ${content}.`];
}

function dateInWords({ fileDate, lastEvent }: Pick<RestorePreview, 'fileDate' | 'lastEvent'>): string {
  const last = lastEvent === undefined ? 'It has no change.' : `Its last change is of ${inUtc(lastEvent)}.`;
  return `The file is of ${inUtc(fileDate)}. ${last}`;
}

function inUtc(time: number): string {
  return new Date(time).toISOString();
}

function questionInWords(
  database: string,
  backup: string,
  { replaced }: RestorePreview,
  tokensKept: boolean,
): string {
  const what = replaced === undefined ? `Make ${database} from` : `Replace ${database} by`;
  return `${what} the backup ${backup}${tokensKept ? '' : ', and end its tokens, grants and login sessions'}?`;
}

function keptInWords(kept: string, isDamaged: boolean): string {
  const what = isDamaged ? 'The database that it replaces, which cannot be read,' : 'What it replaces';
  return `${what} is kept as ${kept}. Remove that file when you are sure: it has the secrets of that time.`;
}
