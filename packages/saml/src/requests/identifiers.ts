import type { Random } from '@watchword/protocol';

/** An id that nobody can guess and that may stand in an attribute `ID` (NCName), 160 bits. */
export function newId(random: Random): string {
  const bytes = Buffer.alloc(20);
  random.fill(bytes);
  return `_${bytes.toString('hex')}`;
}
