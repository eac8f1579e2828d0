import { stat } from 'node:fs/promises';
import {
  accountImport,
  commandLineCaller,
  importBodyLimit,
  type LineReport,
} from '@watchword/administration';
import type { JsonObject } from '@watchword/protocol';
import { systemRandom } from '@watchword/server/system';
import { secretsOf } from '../administration/local/account-secrets.ts';
import { withAdministration } from '../administration/with-administration.ts';
import { operator } from '../command/operator.ts';
import type { Options } from '../command/options.ts';
import type { Output } from '../command/output.ts';
import { withStore } from '../command/with-store.ts';
import { accountLines, columnOf, type PartSize, place, type ReadLine } from './account-lines.ts';
import { accountsOfPart } from './command-parts.ts';
import { progressBar } from './import-progress.ts';

// More lines are only counted.
const maxShown = 100;

/** A line that somebody has to see, with the place in it. */
interface ShownLine extends LineReport {
  readonly column?: number;
}

/** The result so far: numbers of lines by their outcome, and the first of those that somebody has to see. */
interface Result {
  readonly counts: Record<LineReport['outcome'], number>;
  readonly shown: ShownLine[];
  /** The last line that is stored, or in a dry run was read. */
  done: number;
}

/** Imports the lines of a part, all or none of them. */
type AddPart = (lines: readonly ReadLine[]) => Promise<readonly LineReport[]>;

interface ImportOptions extends Options {
  readonly dryRun: boolean;
}

/** Imports accounts, each of which stands on a line of the file: on a database, or over the network without their secrets. */
export async function importAccounts(file: string, options: ImportOptions): Promise<void> {
  const { dryRun: isDryRun } = options;
  // A login alone does not send the accounts of a file to another machine.
  if ((options.url ?? options.loginProfile) !== undefined) {
    return withAdministration(options, async ({ administration, output }) => {
      const add: AddPart = async (lines) => {
        const accounts = lines.map(({ value }) => value as JsonObject & { username: string });
        // The server sees only JSON, so it refuses this line for another reason.
        const answer = await administration.importAccounts({ accounts, dryRun: isDryRun });
        return answer.accounts.map(({ index, ...report }) => {
          const { line = 0, problem } = lines[index] ?? {};
          return { ...report, line, details: problem === undefined ? report.details : [problem] };
        });
      };
      // The envelope of the request has some bytes too.
      await importParts(file, options, add, output, { lines: accountsOfPart, bytes: importBodyLimit / 2 });
    });
  }
  return withStore(options, async ({ store, output, configuration }) => {
    const deps = {
      ...{ ...store, random: systemRandom, subjectSecret: await store.subjectKey.read() },
      secrets: secretsOf(store, configuration),
    };
    const add = accountImport(commandLineCaller(operator), deps, { isDryRun });
    await importParts(file, options, add, output, { lines: accountsOfPart });
  });
}

async function importParts(
  file: string,
  { dryRun: isDryRun, io }: ImportOptions,
  add: AddPart,
  output: Output,
  size: PartSize,
): Promise<void> {
  const result: Result = {
    counts: { created: 0, unchanged: 0, different: 0, refused: 0 },
    shown: [],
    done: 0,
  };
  const show = progressBar(io, await sizeOf(file));
  try {
    for await (const { lines, bytes } of accountLines(file, io, size)) {
      const isRefused = note(await add(lines), lines, result);
      if (isRefused && !isDryRun) break;
      result.done = lines.at(-1)?.line ?? result.done;
      show({ line: result.done, bytes });
    }
  } catch (error) {
    show();
    // A repetition goes on there.
    if (!isDryRun && result.done > 0) io.stderr.write(`${stored(result.done)}\n`);
    throw error;
  }
  show();
  const { counts, shown, done } = result;
  output.done(inWords(file, result, isDryRun), { dryRun: isDryRun, ...counts, lines: shown, done });
  if (counts.refused > 0) io.exitCode = 1;
}

/** `undefined` for standard input, and for what is no file. */
async function sizeOf(file: string): Promise<number | undefined> {
  if (file === '-') return undefined;
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() === true ? found.size : undefined;
}

/** Whether a line is refused. */
function note(
  reports: readonly LineReport[],
  lines: readonly ReadLine[],
  { counts, shown }: Result,
): boolean {
  for (const report of reports) {
    const { outcome, details } = report;
    counts[outcome] += 1;
    const isOfInterest = outcome === 'refused' || outcome === 'different';
    if (!isOfInterest || shown.length === maxShown) continue;
    const read = lines.find(({ line }) => line === report.line);
    const column = read && columnOf(read, details[0] ?? '');
    shown.push({ ...report, ...(column !== undefined && { column }) });
  }
  return reports.some(({ outcome }) => outcome === 'refused');
}

function inWords(file: string, { counts, shown, done }: Result, isDryRun: boolean): string[] {
  const { created, unchanged, different, refused } = counts;
  const more = refused + different - shown.length;
  const numbers = `${created} ${isDryRun ? 'would be created' : 'created'}, ${unchanged} unchanged, ${different} different`;
  return [
    ...shown.map((report) => lineOf(file, report)),
    ...(more > 0 ? [`and ${more} more lines`] : []),
    `Accounts: ${numbers}${refused > 0 ? `, ${refused} refused` : ''}.`,
    ...(refused > 0 && !isDryRun ? [howToGoOn(done)] : []),
    ...(isDryRun ? ['Dry run: nothing was changed.'] : []),
  ];
}

function lineOf(file: string, { line, column, username, outcome, details }: ShownLine): string {
  const reasons =
    outcome === 'refused'
      ? details.join('; ')
      : `exists with another ${details.join(', ')}; it stays as it is`;
  return `${place(file, line, column)}: ${username === '' ? '' : `${username}: `}${reasons}`;
}

function howToGoOn(done: number): string {
  return `${done === 0 ? 'No line is stored.' : stored(done)} Correct the file, and run the command again: an account that exists stays as it is.`;
}

function stored(done: number): string {
  return `The lines up to ${done} are stored, and no other.`;
}
