import { createReadStream } from 'node:fs';
import type { AccountLine } from '@watchword/administration';
import { utf8Text } from '@watchword/protocol';
import { placeInWords } from '../command/bounded-file.ts';
import type { Io } from '../command/io.ts';
import { UsageError } from '../command/usage-error.ts';

// Bytes. An account with all its claims has some hundred.
const maxLine = 1024 * 1024;
const newline = 0x0a;

/**
 * Reads the accounts of a file, or of standard input for `-`, each of which is JSON on a line of its own. The file can have any length.
 *
 * @param size lines of a part
 * @throws UsageError
 */
export async function* accountLines(
  file: string,
  { stdin }: Pick<Io, 'stdin'>,
  size: number,
): AsyncGenerator<AccountLine[]> {
  let part: AccountLine[] = [];
  let line = 0;
  for await (const bytes of linesOf(file, stdin)) {
    line += 1;
    if (bytes.length > maxLine)
      throw new UsageError(
        `${place(file, line)}: expected a line of at most 1 MiB; write each account on a line`,
      );
    const text = utf8Text(bytes);
    if (text?.trim() === '') continue;
    if (line === 1 && text?.trim() === '[')
      throw new UsageError(
        `${place(file, line)}: expected an account on each line, got a list; "jq -c '.[]'" writes one on each line`,
      );
    part.push({ line, value: parsed(text) });
    if (part.length === size) {
      yield part;
      part = [];
    }
  }
  if (part.length > 0) yield part;
}

export function place(file: string, line: number): string {
  return `${placeInWords(file)}, line ${line}`;
}

/** The reason of the parser shows a part of the text, which can be a hash. */
function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

/** A line that is too long comes as far as it was read, and is the last one. */
async function* linesOf(file: string, stdin: Io['stdin']): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunksOf(file, stdin)) {
    let from = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, from)) {
      yield Buffer.concat([rest, chunk.subarray(from, end)]);
      rest = Buffer.alloc(0);
      from = end + 1;
    }
    rest = Buffer.concat([rest, chunk.subarray(from)]);
    if (rest.length > maxLine) break;
  }
  if (rest.length > 0) yield rest;
}

async function* chunksOf(file: string, stdin: Io['stdin']): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of file === '-' ? stdin : createReadStream(file)) yield Buffer.from(chunk);
  } catch (error) {
    throw new UsageError(`${placeInWords(file)}: cannot be read: ${(error as Error).message}`);
  }
}
