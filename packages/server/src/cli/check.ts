import { checkSqlite } from '@watchword/store-sql';
import type { Command } from 'commander';
import { examples } from './examples.ts';
import { configurationOf, databaseCommand } from './options.ts';
import { createOutput } from './output.ts';

export function checkCommand(): Command {
  return databaseCommand('check', 'read the whole database and report any damage')
    .addHelpText('after', examples('--database data/watchword.db'))
    .action(async (options) => {
      const { configuration } = await configurationOf(options);
      const { database } = configuration;
      const findings = checkSqlite(database);
      createOutput(options.json === true, options.io).done(inWords(database, findings), {
        database,
        findings,
      });
      if (findings.length > 0) options.io.exitCode = 1;
    });
}

function inWords(database: string, findings: readonly string[]): string[] {
  if (findings.length === 0) return [`${database} is not damaged.`];
  const advice =
    'Its data can be wrong. Stop the server and restore the last backup with "watchword restore".';
  return [`${database} is damaged:`, ...findings.map((finding) => `  ${finding}`), advice];
}
