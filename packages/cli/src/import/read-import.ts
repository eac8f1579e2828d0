import { utf8Text } from '@watchword/protocol';
import { boundedFile, placeInWords } from '../command/bounded-file.ts';
import type { Io } from '../command/io.ts';
import { UsageError } from '../command/usage-error.ts';

// A file of 100,000 clients has about 40 MB.
const limit = { bytes: 64 * 1024 * 1024, advice: 'import it in several parts' };

/** Reads the JSON of a file, or of standard input for `-`. @throws UsageError */
export async function readImport(file: string, io: Pick<Io, 'stdin'>): Promise<unknown> {
  const bytes = await boundedFile(file, io, limit);
  try {
    return JSON.parse(utf8Text(bytes) ?? '');
  } catch {
    // The reason of the parser shows a part of the text, which can be a secret.
    throw new UsageError(
      `${placeInWords(file)}: expected JSON in UTF-8; check it with "python3 -m json.tool" or "jq ."`,
    );
  }
}
