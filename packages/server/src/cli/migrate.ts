import { migrate } from '@watchword/store-sql';
import type { Command } from 'commander';
import { examples } from './examples.ts';
import { databaseCommand, databaseOf } from './options.ts';
import { createOutput } from './output.ts';

export function migrateCommand(): Command {
  return databaseCommand('migrate', 'create the database, or migrate it to this release')
    .addHelpText('after', examples('--dry-run'))
    .option('--dry-run', 'only print the migrations that would run', false)
    .action(async (options) => {
      const { named, shown: database } = await databaseOf(options);
      const report = await migrate({ ...named, dryRun: options.dryRun });
      const { migrated, pending } = report;
      const names = options.dryRun ? pending : migrated;
      const verb = options.dryRun ? 'would be migrated' : 'was migrated';
      const words = names.length === 0 ? 'is up to date' : `${verb}: ${names.join(', ')}`;
      createOutput(options.json === true, options.io).done(`${database} ${words}.`, { database, ...report });
    });
}
