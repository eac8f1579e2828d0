import { Buffer } from 'node:buffer';

type Names = Readonly<Record<string, string>>;

// Types of the MaxMind DB format, section "Data Field Format".
const types = { text: 2, uint16: 5, uint32: 6, map: 7 } as const;

function field(type: number, size: number): Buffer {
  return size < 29 ? Buffer.of((type << 5) | size) : Buffer.of((type << 5) | 29, size - 29);
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value);
  return Buffer.concat([field(types.text, bytes.length), bytes]);
}

function number(type: number, value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  const short = bytes.subarray(type === types.uint16 ? 2 : 0);
  return Buffer.concat([field(type, short.length), short]);
}

function map(entries: Readonly<Record<string, Buffer>>): Buffer {
  const all = Object.entries(entries);
  return Buffer.concat([field(types.map, all.length), ...all.flatMap(([key, value]) => [text(key), value])]);
}

function names(of: Names): Buffer {
  return map({ names: map(Object.fromEntries(Object.entries(of).map(([tag, name]) => [tag, text(name)]))) });
}

/** A database in the MaxMind DB format (version 2.0) with one network of IPv4 addresses. */
export function placeDatabase(address: string, prefix: number, city: Names, country: Names): Buffer {
  const bits = [...Buffer.from(address.split('.').map(Number))].map((byte) =>
    byte.toString(2).padStart(8, '0'),
  );
  const nodes = [...bits.join('').slice(0, prefix)].map((bit, index) => {
    // The other side is empty; the last node points to the data, which begins 16 bytes after the tree.
    const next = index + 1 === prefix ? prefix + 16 : index + 1;
    const record = Buffer.alloc(6);
    record.writeUIntBE(bit === '0' ? next : prefix, 0, 3);
    record.writeUIntBE(bit === '1' ? next : prefix, 3, 3);
    return record;
  });
  const metadata = map({
    binary_format_major_version: number(types.uint16, 2),
    binary_format_minor_version: number(types.uint16, 0),
    build_epoch: number(types.uint32, 1),
    database_type: text('City'),
    description: map({ en: text('places') }),
    ip_version: number(types.uint16, 4),
    languages: Buffer.of(0, 4),
    node_count: number(types.uint32, prefix),
    record_size: number(types.uint16, 24),
  });
  const data = map({ city: names(city), country: names(country) });
  const marker = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([...nodes, Buffer.alloc(16), data, marker, metadata]);
}
