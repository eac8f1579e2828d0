import { databaseOptions } from '@watchword/server/config/database-options';
import { maskCredentials } from '@watchword/server/config/mask';
import { ConfigurationError } from '@watchword/server/configuration-error';
import { actAsOwnerOf, dialectOf, type MoveProgress, moveBetween, shownDatabase } from '@watchword/store-sql';
import { Command } from 'commander';
import { examples } from '../command/examples.ts';
import type { TextSink } from '../command/io.ts';
import { configurationOf, type Options, withSettings } from '../command/options.ts';
import { createOutput } from '../command/output.ts';
import { warnOfOwner } from '../command/owners.ts';
import { UsageError } from '../command/usage-error.ts';

const help = `
The target must be empty; its tables are made. All servers of both databases must be stopped. The source does not change.
At the end every value of the two is compared. An interrupted command continues when it is run again.`;

export function migrateDataCommand(): Command {
  return withSettings(new Command('migrate-data'), [])
    .description('copy all data to an empty database, also to or from PostgreSQL')
    .option('--from <database>', 'file or PostgreSQL URL that has the data')
    .option('--from-url-file <file>', 'file with the URL that has the data')
    .option('--to <database>', 'file or PostgreSQL URL that gets the data')
    .option('--to-url-file <file>', 'file with the URL that gets the data')
    .addHelpText('after', help)
    .addHelpText(
      'before',
      examples(
        '--from watchword.db --to-url-file database-url',
        '--from-url-file database-url --to watchword.db',
      ),
    )
    .action(async (options) => {
      const from = await namedBy(options, 'from');
      const to = await namedBy(options, 'to');
      if (from.database === to.database)
        throw new UsageError('--from and --to name the same database; name an empty one with --to');
      actAsOwnerOf([from, to].map(({ database }) => database).filter((name) => dialectOf(name) === 'sqlite'));
      const progress = moveProgress(options.io.stderr, () => performance.now());
      const report = await moveBetween(from, to, progress.show);
      progress.end();
      const shown = { from: shownDatabase(from.database), to: shownDatabase(to.database) };
      const rows = Object.values(report.tables).reduce((sum, count) => sum + count, 0);
      createOutput(options.json === true, options.io).done(
        [
          `${shown.to} has all ${rows} rows of ${shown.from}, and every value is the same. Name it with --database from now on.`,
          `Keep ${shown.from} until you are sure, and start no server on it: tokens of one are not in the other.`,
        ],
        { ...shown, rows, ...report },
      );
      for (const { database } of [from, to]) warnOfOwner(options.io, database);
    });
}

/** The database of `--from` or `--to`. The other settings of PostgreSQL come from the configuration. */
async function namedBy(options: Options, role: 'from' | 'to') {
  const [database, databaseUrlFile] = [options[role], options[`${role}UrlFile`]];
  if ((database === undefined) === (databaseUrlFile === undefined))
    throw new UsageError(`expected --${role} or --${role}-url-file, and not both`);
  if (typeof database === 'string' && maskCredentials(database) !== database) {
    options.io.stderr.write(
      `warning: --${role} has a password, and other users of the machine can read the flags of a process; put the URL into a file, and name it with --${role}-url-file\n`,
    );
  }
  try {
    const { configuration } = await configurationOf({ ...options, database, databaseUrlFile });
    return databaseOptions(configuration);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    // As the flags of this command are named.
    const named = (place: string) => place.replace(/^--database(?=$|-url-file$)/, `--${role}`);
    throw new ConfigurationError(
      error.problems.map((problem) => ({ ...problem, place: named(problem.place) })),
    );
  }
}

const width = 24;
/** Milliseconds between two lines. */
const interval = { terminal: 100, other: 5000 };

/** Shows how far a move is: as a bar on a terminal, else as a line for each table and every five seconds. */
function moveProgress(out: TextSink & { readonly isTTY?: boolean }, now: () => number) {
  const isTerminal = out.isTTY === true;
  const pause = isTerminal ? interval.terminal : interval.other;
  let shownAt = now();
  let begun = { name: '', at: now() };
  return {
    show(progress: MoveProgress): void {
      const { step, table, rows, of } = progress;
      if (of === 0) return;
      const name = `${step} ${table}`;
      if (begun.name !== name) begun = { name, at: now() };
      const isLast = rows >= of;
      if (!isLast && now() - shownAt < pause) return;
      shownAt = now();
      const line = inWords(progress, now() - begun.at);
      out.write(isTerminal ? `\r\u001b[K${bar(rows / of)} ${line}${isLast ? '\n' : ''}` : `${line}\n`);
    },
    /** Ends the line of an unfinished bar. */
    end(): void {
      if (isTerminal) out.write('\r\u001b[K');
    },
  };
}

function inWords({ step, table, rows, of }: MoveProgress, milliseconds: number): string {
  const rate = milliseconds > 1000 ? `, ${Math.round((rows / milliseconds) * 1000)} a second` : '';
  return `${step} ${table}: ${rows} of ${of} rows${rate}`;
}

function bar(part: number): string {
  const filled = Math.round(Math.min(part, 1) * width);
  return `[${'#'.repeat(filled)}${' '.repeat(width - filled)}]`;
}
