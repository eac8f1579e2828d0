import { hash } from 'node:crypto';
import type { DatabaseValue } from '../../../hot/columns.ts';

/**
 * The number of the shard of a row, 0 to 4095. An id has it in its 12 bits `rand_a` (docs/adr/0049). A row without an id has a
 * shard of its own key, at random, but always the same for that key.
 *
 * @param values the id, or the values of the key
 */
export function shardNumber(values: readonly DatabaseValue[]): number {
  const [id] = values;
  if (id instanceof Uint8Array) return (((id[6] as number) & 0x0f) << 8) | (id[7] as number);
  const digest = hash('sha256', JSON.stringify(values), 'buffer');
  return digest.readUInt16BE() & 0x0fff;
}

/** The shard that the parameters name; `undefined` if the rows have none. */
export function shardNamedBy(
  { names, routedBy }: { readonly names: readonly string[]; readonly routedBy: readonly string[] },
  parameters: readonly DatabaseValue[],
): number | undefined {
  if (routedBy.length === 0) return undefined;
  return shardNumber(routedBy.map((name) => parameters[names.indexOf(name)] as DatabaseValue));
}
