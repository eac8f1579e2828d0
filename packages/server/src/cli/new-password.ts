import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Terminal } from './io.ts';
import { UsageError } from './usage-error.ts';

// Far more bytes than a password can have: a large file that is piped by mistake is not read completely.
const maxInput = 16_384;

/**
 * Reads a new password: typed twice at a terminal that does not show it, or one line on standard input. It is never an
 * argument, because other users of the machine can read command lines.
 *
 * @throws UsageError
 */
export async function newPassword(fromStdin: boolean, { stdin, stderr }: Terminal): Promise<string> {
  if (fromStdin) return onlyLine(await readBounded(stdin));
  if (stdin.isTTY !== true) {
    throw new UsageError(
      'expected a terminal to ask for the password. In a script, pipe it: watchword user ... --password-stdin < file',
    );
  }
  return askTwice(stdin, stderr);
}

async function askTwice(stdin: Terminal['stdin'], stderr: Terminal['stderr']): Promise<string> {
  // While readline edits the line, the terminal does not echo. The output of readline is discarded.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  lines.on('SIGINT', () => lines.close());
  const typed = lines[Symbol.asyncIterator]();
  const ask = async (question: string): Promise<string> => {
    stderr.write(question);
    const { value, done } = await typed.next();
    stderr.write('\n');
    if (done) throw new UsageError('no password was typed. Nothing was changed.');
    return value;
  };
  try {
    const first = await ask('Password: ');
    if ((await ask('Once more: ')) === first) return first;
    throw new UsageError('the two passwords differ. Nothing was changed.');
  } finally {
    lines.close();
  }
}

async function readBounded(stdin: Terminal['stdin']): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxInput)
      throw new UsageError(`expected a password on standard input, got more than ${maxInput} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function onlyLine(input: Buffer): string {
  const text = decoded(input).replace(/\r?\n$/, '');
  if (!/[\r\n]/.test(text)) return text;
  throw new UsageError(
    'expected one line on standard input: a login form cannot send a password with a line break',
  );
}

function decoded(input: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(input);
  } catch {
    throw new UsageError('expected UTF-8 on standard input, got other bytes; convert the file to UTF-8');
  }
}
