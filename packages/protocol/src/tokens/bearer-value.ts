import { crc32 } from 'node:zlib';
import type { Random } from '../ports/crypto/random.ts';
import { sha256 } from '../rules/sha256.ts';
import { formatUuid, markTimeOrdered } from '../rules/time-ordered-id.ts';

/**
 * The text of a bearer credential:
 *
 *     <prefix> base64url( selector: 16 bytes, verifier: 32 bytes ) base64url( CRC-32: 4 bytes )
 *
 * The selector is a UUIDv7 (RFC 9562 §5.7): the primary key of the row, so that inserts append and a lookup is one read.
 * The selector names the shard of the grant (docs/adr/0049). The verifier is 256 random bits of which the row holds the
 * SHA-256 digest. The prefix names the kind, and secret scanners can find leaked values by it. The checksum lets the
 * server reject garbage without a lookup.
 */
// `wws_` begins the secrets of clients and resource servers (clients/machine-secret.ts).
const prefixes = {
  access: 'wwa_',
  code: 'wwc_',
  refresh: 'wwr_',
  session: 'wwl_',
  reset: 'wwp_',
  link: 'wwi_',
  initial: 'wwt_',
  registration: 'wwg_',
} as const;

export type BearerKind = keyof typeof prefixes;

const prefixLength = 4;
const selectorBytes = 16;
const verifierBytes = 32;
const secretBytes = selectorBytes + verifierBytes;
const secretChars = 64;
const checksumChars = 6;
const totalChars = prefixLength + secretChars + checksumChars;

/** A credential as it was presented: which record it names, and the digest to compare with that of the record. */
export interface PresentedValue {
  /** UUIDv7 in canonical text form. */
  readonly id: string;
  /** SHA-256 digest of the verifier, 32 bytes. */
  readonly verifierHash: Uint8Array;
}

export interface BearerValue extends PresentedValue {
  /** The text that is handed out once and never stored. */
  readonly value: string;
}

/**
 * Makes a new credential of the kind.
 *
 * @param now epoch milliseconds
 * @param grantId the grant to which the credential belongs: its id names the shard of the grant
 * @param id that the credential must have, where it is known already
 */
export function createBearerValue(
  kind: BearerKind,
  now: number,
  random: Random,
  grantId?: string,
  id?: string,
): BearerValue {
  const bytes = Buffer.allocUnsafe(secretBytes);
  random.fill(bytes);
  if (id === undefined) markTimeOrdered(bytes, now, grantId);
  else bytes.write(id.replaceAll('-', ''), 'hex');
  const body = prefixes[kind] + bytes.toString('base64url');
  return {
    value: body + checksum(body),
    id: formatUuid(bytes),
    verifierHash: sha256(bytes.subarray(selectorBytes)),
  };
}

/** Reads a presented credential; `undefined` for anything that this server cannot have issued or imported. */
export function parseBearerValue(kind: BearerKind, value: string): PresentedValue | undefined {
  if (value.length === importedChars && (kind === 'access' || kind === 'refresh'))
    return importedBearerValue(kind, value);
  if (value.length !== totalChars || !value.startsWith(prefixes[kind])) return undefined;
  const body = value.slice(0, prefixLength + secretChars);
  if (checksum(body) !== value.slice(prefixLength + secretChars)) return undefined;
  const encoded = body.slice(prefixLength);
  const bytes = Buffer.from(encoded, 'base64url');
  // The decoder takes other alphabets too; a token has one spelling.
  if (bytes.toString('base64url') !== encoded) return undefined;
  return { id: formatUuid(bytes), verifierHash: sha256(bytes.subarray(selectorBytes)) };
}

// A UUID: the text of a token of apis.
const importedPattern = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;
const importedChars = 36;

/**
 * A token of the server that this one took over from; `undefined` for a text that cannot be one. Its id and its digest follow from its text. The id
 * has no time, so that all imported tokens stand before the others, and no shard of the grant, which is not known.
 */
export function importedBearerValue(kind: 'access' | 'refresh', value: string): PresentedValue | undefined {
  if (!importedPattern.test(value)) return undefined;
  const bytes = sha256(`imported ${kind} token ${value}`);
  markTimeOrdered(bytes, 0);
  return { id: formatUuid(bytes), verifierHash: sha256(value) };
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Four bytes as base64url. A buffer for them takes twice the time, 0.3 us more; a refresh has three checksums. */
function checksum(text: string): string {
  const sum = crc32(text);
  const digit = (shift: number) => digits.charAt((sum >>> shift) & 63);
  return digit(26) + digit(20) + digit(14) + digit(8) + digit(2) + digits.charAt((sum << 4) & 63);
}
