import { backupSqlite } from '@watchword/store-sql';
import type { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { databaseCommand, filePath } from '../command/options.ts';
import { createOutput } from '../command/output.ts';
import { warnOfOwner } from '../command/owners.ts';
import { sqliteFileOf } from './sqlite-file.ts';

const backupAdvice =
  'backup: PostgreSQL has its own tools for backups, which also work while servers run: pg_dump writes one file, and pg_basebackup with an archive of the write-ahead log can restore every point in time. Use them; docs/guides/postgresql-recovery.md has the commands.';

export function backupCommand(): Command {
  return databaseCommand('backup', 'copy a SQLite database and check the copy; a server can run meanwhile')
    .argument('<file>', 'path of the backup; a file that exists is not replaced', filePath('backup'))
    .addHelpText(
      'after',
      '\nThe backup is one file, which only this user can read. It holds hashes of passwords and secrets, names and addresses.',
    )
    .addHelpText('before', examples('watchword-backup.db'))
    .action(async (file, options) => {
      const database = await sqliteFileOf(options, backupAdvice);
      const { bytes } = await backupSqlite(database, file);
      const words = `${file} is a backup of ${database}: ${bytes} bytes, read completely and not damaged.`;
      createOutput(options.json === true, options.io).done(words, { database, backup: file, bytes });
      warnOfOwner(options.io, database);
    });
}
