import type { Random } from '../ports/crypto/random.ts';

const idBytes = 16;

/**
 * A UUIDv7 (RFC 9562 §5.7) in canonical text form, for a record that needs no secret. Its 12 bits `rand_a` are the number of
 * a shard: random, or that of another id (docs/adr/0049).
 *
 * @param now epoch milliseconds
 * @param besideId the id of a record of the same shard
 */
export function timeOrderedId(now: number, random: Random, besideId?: string): string {
  const bytes = Buffer.allocUnsafe(idBytes);
  random.fill(bytes);
  markTimeOrdered(bytes, now, besideId);
  return formatUuid(bytes);
}

/** Makes the first 16 of random bytes a UUIDv7: time, version and shard number, variant. */
export function markTimeOrdered(bytes: Buffer, now: number, besideId?: string): void {
  bytes.writeUIntBE(now, 0, 6);
  const shard = besideId === undefined ? bytes.readUInt16BE(6) & 0x0fff : shardNumber(besideId);
  bytes.writeUInt16BE(0x7000 | shard, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
}

/** The shard that an id names: 0 to 4095. A grant and all ids below it name the same one. */
export function shardNumber(id: string): number {
  return Number.parseInt(id.slice(15, 18), 16);
}

export function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex', 0, idBytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
