import type { Random } from '@watchword/protocol';

/** An unguessable id of 160 random bits that is valid as an attribute `ID` (NCName; Core §1.3.4). */
export function newId(random: Random): string {
  const bytes = Buffer.alloc(20);
  random.fill(bytes);
  return `_${bytes.toString('hex')}`;
}
