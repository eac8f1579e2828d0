import { createReadStream } from 'node:fs';
import { utf8Text } from '@watchword/protocol';
import { UsageError } from '../command/usage-error.ts';

/** Bytes. A file of 100,000 clients has about 40 MB. */
export const maxImportBytes = 64 * 1024 * 1024;

/** Reads the JSON of a file, or of standard input for `-`. @throws UsageError */
export async function readImport(file: string, stdin: NodeJS.ReadableStream): Promise<unknown> {
  const place = file === '-' ? 'standard input' : file;
  const bytes = await readBounded(file === '-' ? stdin : createReadStream(file), place);
  try {
    return JSON.parse(utf8Text(bytes) ?? '');
  } catch {
    // The reason of the parser shows a part of the text, which can be a secret.
    throw new UsageError(`${place}: expected JSON in UTF-8; check it with "python3 -m json.tool" or "jq ."`);
  }
}

async function readBounded(input: NodeJS.ReadableStream, place: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of input) {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      if (length > maxImportBytes) break;
      chunks.push(bytes);
    }
  } catch (error) {
    throw new UsageError(`${place}: cannot be read: ${(error as Error).message}`);
  }
  if (length <= maxImportBytes) return Buffer.concat(chunks);
  throw new UsageError(`${place}: expected at most ${maxImportBytes} bytes; import it in several parts`);
}
