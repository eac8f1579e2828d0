import { printable } from '../runtime/printable.ts';
import type { Terminal } from './io.ts';
import type { Options } from './options.ts';

/**
 * Whether the command can make its change: `--yes` or `--json` is given, or the user confirms the question. If not, it writes
 * `unchanged` to standard error and sets exit code 1.
 *
 * @param question its text; called only when the user is asked
 */
export async function isConfirmed(
  { yes, json, io }: Options,
  question: () => string | Promise<string>,
  unchanged: string,
): Promise<boolean> {
  if (yes === true || json === true || (await confirmed(await question(), io))) return true;
  io.stderr.write(`${unchanged}\n`);
  io.exitCode = 1;
  return false;
}

/**
 * Asks the user at the terminal. Only `y` and `yes` agree; an empty line, the end of the input and Ctrl-C do not.
 * Without a terminal, as in a script, it asks nothing and resolves with `true`.
 */
export async function confirmed(question: string, { stdin, stderr }: Terminal): Promise<boolean> {
  if (stdin.isTTY !== true) return true;
  // Loaded here, because every command loads this file.
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: stdin, terminal: false });
  try {
    stderr.write(`${printable(question)} [y/N] `);
    const { value = '', done } = await lines[Symbol.asyncIterator]().next();
    if (done) stderr.write('\n');
    return /^\s*y(?:es)?\s*$/i.test(value);
  } finally {
    lines.close();
  }
}
