import type { Random } from '../ports/random.ts';

const idBytes = 16;

/** A UUIDv7 (RFC 9562 §5.7) in canonical text form, for a record that needs no secret; `now` in epoch milliseconds. */
export function timeOrderedId(now: number, random: Random): string {
  const bytes = Buffer.allocUnsafe(idBytes);
  random.fill(bytes);
  markTimeOrdered(bytes, now);
  return formatUuid(bytes);
}

/** Makes the first 16 of random bytes a UUIDv7: time first, then version and variant. */
export function markTimeOrdered(bytes: Buffer, now: number): void {
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
}

export function formatUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex', 0, idBytes);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
