/** Object identifiers of the types of PostgreSQL that this package uses (catalog `pg_type`). */
export const oids = {
  bool: 16,
  bytea: 17,
  int8: 20,
  int2: 21,
  int4: 23,
  text: 25,
  oid: 26,
  float4: 700,
  float8: 701,
  numeric: 1700,
} as const;

/** Values of one column, or of one parameter. */
export type Decode = (text: string) => unknown;

/** @throws RangeError for text that PostgreSQL cannot store */
export function encode(value: unknown): string | Buffer | null {
  switch (typeof value) {
    case 'string':
      return storable(value);
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
      return encodeObject(value);
  }
}

function encodeObject(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null;
  if (Buffer.isBuffer(value)) return value;
  if (value instanceof Uint8Array) return bufferOf(value);
  if (Array.isArray(value)) return encodeArray(value);
  throw new TypeError('a value for PostgreSQL is text, a number, bytes, null, or an array of these');
}

/** An error of the caller: the rules reject such text where it comes from a request. */
function storable(text: string): string {
  if (text.includes('\0')) throw new RangeError('text for PostgreSQL must not contain the character U+0000');
  return text;
}

function encodeArray(values: readonly unknown[]): string | Buffer {
  const first = values.find((value) => value !== null);
  if (typeof first === 'string') return binaryArray(oids.text, values.map(textBytes));
  if (first instanceof Uint8Array) return binaryArray(oids.bytea, values as (Uint8Array | null)[]);
  // Numbers have no characters that must be escaped, and can be of several types.
  return `{${values.map((value) => (value === null ? 'NULL' : String(value))).join(',')}}`;
}

function textBytes(text: unknown): Buffer | null {
  return text === null ? null : Buffer.from(storable(text as string));
}

const arrayHeader = 20;

/** An array of one dimension in the binary format (`array_recv`): bytes need no escapes, and are not sent as digits. */
function binaryArray(elementType: number, values: readonly (Uint8Array | null)[]): Buffer {
  const size = values.reduce((sum, value) => sum + 4 + (value?.length ?? 0), arrayHeader);
  const buffer = Buffer.allocUnsafe(size);
  buffer.writeInt32BE(1, 0);
  buffer.writeInt32BE(values.includes(null) ? 1 : 0, 4);
  buffer.writeInt32BE(elementType, 8);
  buffer.writeInt32BE(values.length, 12);
  buffer.writeInt32BE(1, 16);
  let position = arrayHeader;
  for (const value of values) {
    position = buffer.writeInt32BE(value === null ? -1 : value.length, position);
    if (value === null) continue;
    buffer.set(value, position);
    position += value.length;
  }
  return buffer;
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** How the text format of a type is read. Types that are not listed stay text. */
export function decoderOf(type: number): Decode | undefined {
  return decoders.get(type);
}

const decoders: ReadonlyMap<number, Decode> = new Map<number, Decode>([
  [oids.bytea, decodeBytes],
  [oids.bool, (text) => text === 't'],
  [oids.int8, decodeInteger],
  [oids.int2, Number],
  [oids.int4, Number],
  [oids.oid, Number],
  [oids.float4, Number],
  [oids.float8, Number],
  // The type of a sum of `bigint`.
  [oids.numeric, decodeInteger],
]);

function decodeBytes(text: string): Buffer {
  if (!text.startsWith('\\x')) {
    throw new RangeError('bytea must come as hexadecimal digits: set bytea_output to hex');
  }
  return Buffer.from(text.slice(2), 'hex');
}

function decodeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new RangeError(`${text} is no integer that JavaScript represents exactly`);
  return value;
}

/**
 * The type that a parameter gets from its value; 0 if the server infers it from the text. A number has no type of its own in
 * the text, and next to a small literal the server would take it for one of 32 bits.
 */
export function typeOfParameter(value: unknown): number {
  if (typeof value === 'number') return Number.isInteger(value) ? oids.int8 : oids.float8;
  return typeof value === 'bigint' ? oids.int8 : 0;
}
