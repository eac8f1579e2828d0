import { printable } from '@watchword/server/runtime/log/printable';
import type { Terminal } from './io.ts';
import type { Options } from './options.ts';
import { UsageError } from './usage-error.ts';

/**
 * Whether the command can make its change: `--yes` is given, or the user confirms the question. If not, it writes `unchanged` to
 * standard error and sets exit code 1.
 *
 * @param question its text; called only when the user is asked
 * @throws UsageError without `--yes` and without a terminal, as in a script, where nobody can confirm
 */
export async function isConfirmed(
  { yes, io }: Options,
  question: () => string | Promise<string>,
  unchanged: string,
): Promise<boolean> {
  if (yes === true) return true;
  if (io.stdin.isTTY !== true) {
    throw new UsageError(`--yes: expected it, because there is no terminal to ask at. ${unchanged}`);
  }
  if (await confirmed(await question(), io)) return true;
  io.stderr.write(`${unchanged}\n`);
  io.exitCode = 1;
  return false;
}

/** The end of the help of a command that asks. */
export const confirmationHelp =
  'The command asks for confirmation at a terminal, unless --yes is given. Without a terminal, as in a script, it needs --yes.';

/** Asks the user at the terminal. Only `y` and `yes` agree; an empty line, the end of the input and Ctrl-C do not. */
export async function confirmed(question: string, { stdin, stderr }: Terminal): Promise<boolean> {
  // Loaded here, because every command loads this file.
  const { createInterface } = await import('node:readline');
  const lines = createInterface({ input: stdin, terminal: false });
  try {
    stderr.write(`${printable(question)} [y/N] `);
    const { value = '', done } = await lines[Symbol.asyncIterator]().next();
    // The end of the question, after which the command can show its progress.
    stderr.write(done ? '\n' : '');
    return /^\s*y(?:es)?\s*$/i.test(value);
  } finally {
    lines.close();
  }
}
