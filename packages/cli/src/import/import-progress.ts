import type { Io } from '../command/io.ts';

/** How far an import is. */
export interface ImportProgress {
  /** The last line that is stored. */
  readonly line: number;
  /** Bytes of the file up to there. */
  readonly bytes: number;
}

const width = 30;
// Lines between two lines of output that is no terminal.
const step = 10_000;

/**
 * Shows how far an import is: at a terminal a bar, or the number of lines where nobody knows how many come, else a line for
 * ten thousand accounts.
 *
 * @param of bytes of the file; `undefined` for standard input
 * @returns shows the progress; without any, its line is gone
 */
export function progressBar(
  { stderr }: Pick<Io, 'stderr'>,
  of: number | undefined,
): (progress?: ImportProgress) => void {
  let shownUpTo = 0;
  if (stderr.isTTY === true) {
    return (progress) =>
      stderr.write(progress === undefined ? '\r\u001b[K' : `\r\u001b[K${barOf(progress, of)}`);
  }
  return (progress) => {
    if (progress === undefined || progress.line - shownUpTo < step) return;
    shownUpTo = progress.line;
    stderr.write(`${percentOf(progress, of)}line ${progress.line}\n`);
  };
}

function barOf(progress: ImportProgress, of: number | undefined): string {
  if (!of) return `line ${progress.line}`;
  const filled = Math.min(width, Math.floor((progress.bytes / of) * width));
  return `[${'#'.repeat(filled)}${'-'.repeat(width - filled)}] ${percentOf(progress, of)}line ${progress.line}`;
}

function percentOf({ bytes }: ImportProgress, of: number | undefined): string {
  return of ? `${Math.min(100, Math.floor((bytes / of) * 100))} %, ` : '';
}
