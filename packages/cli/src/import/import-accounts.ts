import { accountImport, commandLineCaller, type LineReport } from '@watchword/administration';
import { systemRandom } from '@watchword/server/system';
import type { Io } from '../command/io.ts';
import { operator } from '../command/operator.ts';
import type { Options } from '../command/options.ts';
import { withStore } from '../command/with-store.ts';
import { accountLines, place } from './account-lines.ts';
import { accountsOfPart, secretsOf } from './command-parts.ts';

// More lines are only counted.
const maxShown = 100;

/** The result so far: numbers of lines by their outcome, and the first of those that somebody has to see. */
interface Progress {
  readonly counts: Record<LineReport['outcome'], number>;
  readonly shown: LineReport[];
  /** The last line that is stored, or in a dry run was read. */
  done: number;
}

/** Imports accounts, each of which stands on a line of the file. */
export async function importAccounts(
  file: string,
  options: Options & { readonly dryRun: boolean },
): Promise<void> {
  await withStore(options, async ({ store, output, configuration }) => {
    const { dryRun: isDryRun, io } = options;
    const deps = {
      ...{ ...store, random: systemRandom, subjectSecret: await store.subjectKey.read() },
      secrets: secretsOf(store, configuration),
    };
    const add = accountImport(commandLineCaller(operator), deps, { isDryRun });
    const progress: Progress = {
      counts: { created: 0, unchanged: 0, different: 0, refused: 0 },
      shown: [],
      done: 0,
    };
    const show = progressOn(io.stderr);
    for await (const part of accountLines(file, io, accountsOfPart)) {
      const isRefused = note(await add(part), progress);
      if (isRefused && !isDryRun) break;
      progress.done = part.at(-1)?.line ?? progress.done;
      show(progress);
    }
    show(progress, true);
    const { counts, shown, done } = progress;
    output.done(inWords(file, progress, isDryRun), { dryRun: isDryRun, ...counts, lines: shown, done });
    if (counts.refused > 0) io.exitCode = 1;
  });
}

/** Whether a line is refused. */
function note(reports: readonly LineReport[], { counts, shown }: Progress): boolean {
  for (const report of reports) {
    const { outcome } = report;
    counts[outcome] += 1;
    const isOfInterest = outcome === 'refused' || outcome === 'different';
    if (isOfInterest && shown.length < maxShown) shown.push(report);
  }
  return reports.some(({ outcome }) => outcome === 'refused');
}

/** Shows how far the import is: in one line of a terminal, else in a line for ten thousand accounts. */
function progressOn(out: Io['stderr']): (progress: Progress, isEnd?: boolean) => void {
  const isTerminal = out.isTTY === true;
  return ({ done }, isEnd = false) => {
    if (isTerminal) out.write(isEnd ? '\r\u001b[K' : `\r\u001b[Kline ${done}`);
    else if (!isEnd && done % 10_000 === 0) out.write(`line ${done}\n`);
  };
}

function inWords(file: string, { counts, shown, done }: Progress, isDryRun: boolean): string[] {
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

function lineOf(file: string, { line, username, outcome, details }: LineReport): string {
  const reasons =
    outcome === 'refused'
      ? details.join('; ')
      : `exists with another ${details.join(', ')}; it stays as it is`;
  return `${place(file, line)}: ${username === '' ? '' : `${username}: `}${reasons}`;
}

function howToGoOn(done: number): string {
  const stored = done === 0 ? 'No line is stored.' : `The lines up to ${done} are stored, and no other.`;
  return `${stored} Correct the file, and run the command again: an account that exists stays as it is.`;
}
