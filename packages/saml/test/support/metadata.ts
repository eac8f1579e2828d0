import type { TestKey } from '@watchword/testkit/certificate';
import { type ReadMetadata, readMetadata } from '../../src/metadata/reader.ts';

/** Reads metadata in chunks of a few bytes. */
export function readText(
  xml: string | Buffer,
  keys: readonly TestKey[] = [],
  pieceLength = 1000,
): Promise<ReadMetadata> {
  const bytes = Buffer.from(xml);
  async function* pieces() {
    for (let start = 0; start < bytes.length; start += pieceLength)
      yield bytes.subarray(start, start + pieceLength);
  }
  return readMetadata(
    pieces(),
    keys.map(({ certificate }) => certificate),
    { allowSha1: false },
  );
}
