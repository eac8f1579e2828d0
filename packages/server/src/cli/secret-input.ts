import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { secretLine } from '@watchword/protocol';
import { secretIn, secretInFile } from '../secret-source.ts';
import type { Terminal } from './io.ts';
import { UsageError } from './usage-error.ts';

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
      return done ? undefined : secretLine(value);
    },
    [Symbol.dispose]: () => lines.close(),
  };
}

/**
 * All of standard input, or of a file.
 *
 * @param asker option or command that reads it, for the error
 * @param source standard input, or the name of a file
 * @throws UsageError
 */
export async function secretText(
  asker: string,
  source: AsyncIterable<Buffer | string> | string,
): Promise<string> {
  try {
    return await (typeof source === 'string' ? secretInFile(source) : secretIn(source));
  } catch (error) {
    const place = typeof source === 'string' ? source : 'standard input';
    throw new UsageError(`${asker}: ${place} cannot be read: ${(error as Error).message}`);
  }
}
