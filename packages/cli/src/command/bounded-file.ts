import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Io } from './io.ts';
import { UsageError } from './usage-error.ts';

/** A longer file was named by mistake: it is not read completely. */
export interface FileLimit {
  readonly bytes: number;
  /** What to do with a longer one. */
  readonly advice: string;
}

/** A file in words: `-` is standard input. */
export function placeInWords(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** All of a file, or of standard input for `-`. @throws UsageError */
export async function boundedFile(
  file: string,
  { stdin }: Pick<Io, 'stdin'>,
  { bytes: most, advice }: FileLimit,
): Promise<Buffer> {
  const place = placeInWords(file);
  let bytes: Buffer | undefined;
  try {
    bytes = await readAtMost(most, file, stdin);
  } catch (error) {
    throw new UsageError(`${place}: cannot be read: ${(error as Error).message}`);
  }
  if (bytes !== undefined) return bytes;
  throw new UsageError(`${place}: expected at most ${most} bytes; ${advice}`);
}

async function readAtMost(most: number, file: string, stdin: Io['stdin']): Promise<Buffer | undefined> {
  // What is no regular file, such as a pipe, has no size.
  if (file !== '-' && (await stat(file)).size > most) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of file === '-' ? stdin : createReadStream(file)) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > most) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
