import { createHash } from 'node:crypto';
import { decodedFirst } from './cbor.ts';
import { PasskeyError } from './passkey-error.ts';

/** What an authenticator signs (WebAuthn Level 3 §6.1), checked by the rules of both ceremonies. */
export interface AuthenticatorData {
  readonly counter: number;
  readonly isBackupEligible: boolean;
  readonly isBackedUp: boolean;
  /** Of a new credential. */
  readonly credential: AttestedCredential | undefined;
}

export interface AttestedCredential {
  readonly id: Uint8Array;
  /** A COSE key. */
  readonly publicKey: unknown;
}

const userPresent = 0x01;
const userVerified = 0x04;
const backupEligible = 0x08;
const backedUp = 0x10;
const hasCredential = 0x40;
const hasExtensions = 0x80;

/** RP ID hash, flags and counter. */
const fixedLength = 37;

/** An AAGUID and the length of a credential id. */
const credentialHead = 18;

/** @throws PasskeyError */
export async function readAuthenticatorData(
  data: Uint8Array,
  relyingPartyId: string,
): Promise<AuthenticatorData> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  if (data.length < fixedLength) throw cutOff();
  const hash = createHash('sha256').update(relyingPartyId).digest();
  if (!hash.equals(data.subarray(0, 32))) {
    throw new PasskeyError(
      'relying_party',
      `expected a credential of ${relyingPartyId}, got one of another RP ID`,
    );
  }
  const flags = view.getUint8(32);
  checkFlags(flags);
  const { credential, length } =
    (flags & hasCredential) === 0
      ? { credential: undefined, length: fixedLength }
      : await attestedCredential(data, view);
  const end = (flags & hasExtensions) === 0 ? length : await endOfExtensions(data, length);
  if (end !== data.length) {
    throw new PasskeyError('form', `expected ${end} octets of authenticator data, got ${data.length}`);
  }
  return {
    counter: view.getUint32(33),
    isBackupEligible: (flags & backupEligible) !== 0,
    isBackedUp: (flags & backedUp) !== 0,
    credential,
  };
}

function checkFlags(flags: number): void {
  if ((flags & userPresent) === 0) {
    throw new PasskeyError('user_presence', 'expected the flag UP: the user was present');
  }
  if ((flags & userVerified) === 0) {
    throw new PasskeyError('user_verification', 'expected the flag UV: the authenticator verified the user');
  }
  if ((flags & backedUp) !== 0 && (flags & backupEligible) === 0) {
    throw new PasskeyError('backup', 'expected no flag BS without the flag BE');
  }
}

/** @returns the credential, and where it ends */
async function attestedCredential(data: Uint8Array, view: DataView) {
  const start = fixedLength + credentialHead;
  if (data.length < start) throw cutOff();
  const idEnd = start + view.getUint16(start - 2);
  if (data.length <= idEnd) throw cutOff();
  const [publicKey, rest] = await decodedFirst(data.subarray(idEnd));
  return { credential: { id: data.subarray(start, idEnd), publicKey }, length: data.length - rest };
}

async function endOfExtensions(data: Uint8Array, start: number): Promise<number> {
  if (data.length <= start) throw cutOff();
  const [extensions, rest] = await decodedFirst(data.subarray(start));
  if (!(extensions instanceof Map)) throw new PasskeyError('form', 'expected a map of extensions');
  return data.length - rest;
}

function cutOff(): PasskeyError {
  return new PasskeyError('form', 'expected authenticator data, got a part of it');
}

/** What authenticators sign: their data, and the hash of that of the browser. */
export function signedOctets(authData: Uint8Array, clientData: Uint8Array): Uint8Array {
  return Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
}
