import { createReadStream } from 'node:fs';
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
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of file === '-' ? stdin : createReadStream(file)) {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      if (length > most) break;
      chunks.push(bytes);
    }
  } catch (error) {
    throw new UsageError(`${place}: cannot be read: ${(error as Error).message}`);
  }
  if (length <= most) return Buffer.concat(chunks);
  throw new UsageError(`${place}: expected at most ${most} bytes; ${advice}`);
}
