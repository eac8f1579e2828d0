import { backupSqlite } from '@watchword/store-sql';
import type { Command } from 'commander';
import { configurationOf, databaseCommand } from './options.ts';
import { createOutput } from './output.ts';

export function backupCommand(): Command {
  return databaseCommand('backup', 'copy the database, beside a running server too, and check the copy')
    .argument('<file>', 'where the backup is to be; no file is replaced')
    .addHelpText(
      'after',
      '\nThe backup is one file for this user alone. It holds hashes of passwords and secrets, names and addresses.',
    )
    .action(async (file, options) => {
      const { configuration } = await configurationOf(options);
      const { database } = configuration;
      const { bytes } = await backupSqlite(database, file);
      const words = `${file} is a backup of ${database}: ${bytes} bytes, read whole and found sound.`;
      createOutput(options.json === true, options.io).done(words, { database, backup: file, bytes });
    });
}
