import { createReadStream } from 'node:fs';
import type { AccountLine } from '@watchword/administration';
import { utf8Text } from '@watchword/protocol';
import { placeInWords } from '../command/bounded-file.ts';
import type { Io } from '../command/io.ts';
import { UsageError } from '../command/usage-error.ts';
import { jsonColumns } from './json-columns.ts';

// Bytes. An account with all its claims has some hundred.
const maxLine = 1024 * 1024;
const newline = 0x0a;

/** A line of the file with its text, which is shown to nobody: it can have a hash. */
export interface ReadLine extends AccountLine {
  readonly text: string;
}

/** Lines that are imported together. */
export interface LinePart {
  readonly lines: readonly ReadLine[];
  /** Bytes of the file up to the end of the part. */
  readonly bytes: number;
}

/** The size of a part, at most. */
export interface PartSize {
  readonly lines: number;
  /** Of their JSON. A longer line is a part of its own. */
  readonly bytes?: number;
}

/**
 * Reads the accounts of a file, or of standard input for `-`, each of which is JSON on a line of its own. The file can have any length.
 * After a line that cannot be read at all, such as one that is too long, no other one follows.
 *
 * @throws UsageError for a file that cannot be read
 */
export async function* accountLines(
  file: string,
  { stdin }: Pick<Io, 'stdin'>,
  size: PartSize,
): AsyncGenerator<LinePart> {
  let lines: ReadLine[] = [];
  let inPart = 0;
  let [line, bytes] = [0, 0];
  for await (const raw of linesOf(file, stdin)) {
    line += 1;
    const read = readLine(raw, line);
    if (read !== undefined) {
      if (lines.length > 0 && inPart + raw.length > (size.bytes ?? Number.POSITIVE_INFINITY)) {
        yield { lines, bytes };
        [lines, inPart] = [[], 0];
      }
      lines.push(read);
      inPart += raw.length;
    }
    bytes += raw.length + 1;
    if (read?.isEnd === true) break;
    if (lines.length === size.lines) {
      yield { lines, bytes };
      [lines, inPart] = [[], 0];
    }
  }
  if (lines.length > 0) yield { lines, bytes };
}

/** @param column of what is meant, if it is known */
export function place(file: string, line: number, column?: number): string {
  return `${placeInWords(file)}, line ${line}${column === undefined ? '' : `, column ${column}`}`;
}

/** Where a field of the account stands in its line, or where the line stops to be JSON. @param field `factors[0].name` is in `factors` */
export function columnOf({ text }: ReadLine, field: string): number | undefined {
  const { members, error } = jsonColumns(text);
  return error ?? members.get(/^\w+/.exec(field)?.[0] ?? '');
}

/** `undefined` for an empty line. */
function readLine(raw: Buffer, line: number): (ReadLine & { readonly isEnd?: true }) | undefined {
  const unreadable = (problem: string) => ({
    line,
    text: '',
    value: undefined,
    problem,
    isEnd: true as const,
  });
  if (raw.length > maxLine)
    return unreadable('expected a line of at most 1 MiB; write each account on a line of its own');
  const encoding = otherEncoding(raw);
  if (encoding !== undefined) return unreadable(encoding);
  const text = utf8Text(raw) ?? '';
  if (text.trim() === '') return undefined;
  if (line === 1 && text.trim() === '[') {
    return unreadable(`expected an account on each line, got a list; "jq -c '.[]'" writes one on each line`);
  }
  const value = parsed(text);
  return { line, text, value, problem: value === undefined ? problemOf(text) : undefined };
}

/** What is wrong with bytes that are not UTF-8: the text of another encoding would be another name. */
function otherEncoding(raw: Buffer): string | undefined {
  const convert = (from: string) => `convert the file: iconv -f ${from} -t UTF-8`;
  const [first, second] = raw;
  const hasMark = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (hasMark || raw.includes(0)) return `expected UTF-8, got UTF-16; ${convert('UTF-16')}`;
  if (utf8Text(raw) !== undefined) return undefined;
  return `expected UTF-8, got bytes of another encoding, such as Latin-1; ${convert('ISO-8859-1')}`;
}

/** The reason of the parser shows a part of the text, which can be a hash. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function problemOf(text: string): string {
  const rest = text.slice((jsonColumns(text).error ?? 1) - 1).trim();
  // Nothing, or a text that does not end.
  const isCutOff = rest === '' || /^"(?:[^"\\]|\\.)*\\?$/.test(rest);
  return isCutOff
    ? 'expected a JSON object on one line, but the line ends within it: the file is cut off, or the object has several lines ("jq -c" writes one)'
    : 'expected a JSON object';
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
