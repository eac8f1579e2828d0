import type { MoveProgress } from '@watchword/store-sql';
import type { TextSink } from '../command/io.ts';

const width = 24;
/** Milliseconds between two lines. */
const interval = { terminal: 100, other: 5000 };

/** Shows how far a move is: as a bar on a terminal, else as a line for each table and every five seconds. */
export function moveProgress(out: TextSink & { readonly isTTY?: boolean }, now: () => number) {
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
