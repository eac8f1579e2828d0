import { type MigrationReport, migrate, wasEmpty } from '@watchword/store-sql';
import type { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { databaseCommand, databaseOf } from '../command/options.ts';
import { createOutput } from '../command/output.ts';
import { warnOfOwner } from '../command/owners.ts';
import { whatWouldChange } from './pending-migrations.ts';

export function migrateCommand(): Command {
  return databaseCommand('migrate', 'create the database, or migrate it to this release')
    .addHelpText(
      'after',
      '\nNodes of an older release can serve the database meanwhile and afterwards. A migration after which they cannot waits for --finish.',
    )
    .addHelpText('before', examples('--check', '', '--finish'))
    .option('--check', 'only print what would change, and whether nodes of older releases can go on')
    .option('--finish', 'also apply the migrations that wait until every node is of this release')
    .action(async (options) => {
      const { named, shown: database } = await databaseOf(options);
      const extent = options.finish ? 'all' : 'expanding';
      const report = await migrate({ ...named, extent: options.check ? 'none' : extent });
      const words = options.check ? whatWouldChange(database, report) : whatChanged(database, report);
      createOutput(options.json === true, options.io).done(words, { database, ...report });
      warnOfOwner(options.io, named.database);
    });
}

function whatChanged(database: string, { migrated, pending }: MigrationReport): string[] {
  const words =
    migrated.length === 0
      ? `${database} is up to date.`
      : `${database}${wasEmpty(migrated) ? ' is new, and' : ''} was migrated: ${migrated.join(', ')}.`;
  if (pending.length === 0) return [words];
  const names = pending.map(({ name }) => name).join(', ');
  return [
    words,
    `${names} waits, because older nodes could not go on. When every node is of this release, run "watchword migrate --finish".`,
  ];
}
