import { secretLine } from '@watchword/protocol';
import type { Terminal } from '../../command/io.ts';
import { openHiddenLines, secretText } from '../../command/secret-input.ts';
import { UsageError } from '../../command/usage-error.ts';

/**
 * The only line of a file, such as a secret that is mounted into a container without a shell.
 *
 * @throws UsageError
 */
export async function passwordInFile(file: string): Promise<string> {
  return onlyLine(await secretText('--password-file', file), `in ${file}`);
}

/**
 * Reads a new password: typed twice at a terminal that does not show it, or one line on standard input. It is never an
 * argument, because other users of the machine can read command lines.
 *
 * @throws UsageError
 */
export async function newPassword(fromStdin: boolean, terminal: Terminal): Promise<string> {
  if (fromStdin) return onlyLine(await secretText('--password-stdin', terminal.stdin), 'on standard input');
  if (terminal.stdin.isTTY !== true) {
    throw new UsageError(
      'expected a terminal to ask for the password. In a script, pipe it: watchword user ... --password-stdin < file',
    );
  }
  return askTwice(terminal);
}

async function askTwice(terminal: Terminal): Promise<string> {
  using lines = openHiddenLines(terminal);
  const ask = async (question: string): Promise<string> => {
    const line = await lines.ask(question);
    if (line === undefined) throw new UsageError('no password was typed. Nothing was changed.');
    return line;
  };
  const first = await ask('Password: ');
  if ((await ask('Once more: ')) === first) return first;
  throw new UsageError('the two passwords differ. Nothing was changed.');
}

function onlyLine(input: string, where: string): string {
  const text = secretLine(input);
  if (!/[\r\n]/.test(text)) return text;
  throw new UsageError(`expected one line ${where}: a login form cannot send a password with a line break`);
}
