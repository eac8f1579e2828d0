import { backupSqlite } from '@watchword/store-sql';
import type { Command } from 'commander';
import { examples } from './examples.ts';
import { configurationOf, databaseCommand } from './options.ts';
import { createOutput } from './output.ts';

export function backupCommand(): Command {
  return databaseCommand('backup', 'copy the database and check the copy; a server can run meanwhile')
    .argument('<file>', 'path of the backup; a file that exists is not replaced')
    .addHelpText(
      'after',
      '\nThe backup is one file, which only this user can read. It holds hashes of passwords and secrets, names and addresses.',
    )
    .addHelpText('after', examples('watchword-backup.db'))
    .action(async (file, options) => {
      const { configuration } = await configurationOf(options);
      const { database } = configuration;
      const { bytes } = await backupSqlite(database, file);
      const words = `${file} is a backup of ${database}: ${bytes} bytes, read completely and not damaged.`;
      createOutput(options.json === true, options.io).done(words, { database, backup: file, bytes });
    });
}
