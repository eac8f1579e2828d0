import { checkDatabase, type DatabaseCheck, dialectOf } from '@watchword/store-sql';
import type { Command } from 'commander';
import { systemClock } from '../system.ts';
import { examples } from './examples.ts';
import { databaseCommand, databaseOf } from './options.ts';
import { createOutput } from './output.ts';

const help = `
Of a SQLite database the command reads every page and every index. Of a PostgreSQL database it checks what a server needs:
tables, rights, and the settings on which the durability of tokens depends. PostgreSQL finds damage with pg_amcheck.`;

export function checkCommand(): Command {
  return databaseCommand('check', 'search for what is wrong with the database, such as damage')
    .addHelpText('after', help)
    .addHelpText('after', examples('--database data/watchword.db', '--database-url-file database-url'))
    .action(async (options) => {
      const { configuration, named, shown: database } = await databaseOf(options);
      const report = await checkDatabase({ ...named, clock: systemClock });
      const words = inWords[dialectOf(configuration.database)](database, report);
      createOutput(options.json === true, options.io).done(words, { database, ...report });
      if (report.findings.length > 0) options.io.exitCode = 1;
    });
}

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

function indented(lines: readonly string[]): string[] {
  return lines.map((line) => `  ${line}`);
}
