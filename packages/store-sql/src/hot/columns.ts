/**
 * What a column or a parameter of a hot statement holds. Where its kind ends in `?`, it can be null.
 *
 * - `id`: a UUID, as canonical text in the rules and as 16 bytes in the database
 * - `real`: a number that can be a fraction; others have no fraction
 * - `small`: a number of 16 bits
 * - `bytes`: a byte array, which travels between threads as hexadecimal text
 */
export type ColumnKind = 'id' | 'id?' | 'bytes' | 'text' | 'text?' | 'number' | 'number?' | 'real' | 'small';

/** Columns by their names. Their order is the order in which values travel; nothing else knows it. */
export type Columns = Readonly<Record<string, ColumnKind>>;

interface KindTypes {
  id: string;
  'id?': string | null;
  bytes: Uint8Array;
  text: string;
  'text?': string | null;
  number: number;
  'number?': number | null;
  real: number;
  small: number;
}

/** Values by the names of their columns. */
export type Named<Of extends Columns> = { readonly [Name in keyof Of]: KindTypes[Of[Name]] };

/** A value as a database takes and returns it. */
export type DatabaseValue = string | number | Uint8Array | null;

/** A value as it travels to another thread: primitives are copied far faster than byte arrays. */
export type TravellingValue = string | number | null;
