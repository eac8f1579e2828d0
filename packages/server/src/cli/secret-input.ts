import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { Terminal } from './io.ts';
import { UsageError } from './usage-error.ts';

// Far more bytes than secrets can have: a large file that is piped by mistake is not read completely.
const maxInput = 16_384;

/** Asks a question at the terminal. Resolves with the line, `undefined` at the end of the input or after Ctrl-C. */
export type AskHidden = (question: string) => Promise<string | undefined>;

/** Lines that are typed at a terminal, which does not show them. */
export interface HiddenLines extends Disposable {
  readonly ask: AskHidden;
}

/** Reads from the terminal until it is disposed of. */
export function openHiddenLines({ stdin, stderr }: Terminal): HiddenLines {
  // While readline edits the line, the terminal does not echo. The output of readline is discarded.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  lines.on('SIGINT', () => lines.close());
  const typed = lines[Symbol.asyncIterator]();
  return {
    async ask(question) {
      stderr.write(question);
      const { value, done } = await typed.next();
      stderr.write('\n');
      return done ? undefined : value;
    },
    [Symbol.dispose]: () => lines.close(),
  };
}

/**
 * All of standard input, or of a file.
 *
 * @param what is expected there, for the error
 * @param where `in FILE`, if it is not standard input
 * @throws UsageError, and the error of the file
 */
export async function secretText(
  stdin: AsyncIterable<Buffer | string>,
  what: string,
  where = 'on standard input',
): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxInput) {
      throw new UsageError(`expected ${what} ${where}, got more than ${maxInput} bytes`);
    }
    chunks.push(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError(`expected UTF-8 ${where}, got other bytes; convert the file to UTF-8`);
  }
}
