import { createHmac } from 'node:crypto';
import { isSameDigest, type Random, sha256 } from '@watchword/protocol';

const period = 30_000;
const digits = 6;
// The length of the digests of SHA-1 (RFC 4226 §4).
const secretBytes = 20;
/** Steps by which the clock of a device can be wrong, to either side (RFC 6238 §5.2). */
const drift = 1;
// A clock that is wrong by more is found when the app is added, and never helps at a login.
const widestDrift = 240;

/** A new secret of an app for one-time codes, in Base32, as apps take it. */
export function newTotpSecret(random: Random): string {
  const bytes = Buffer.alloc(secretBytes);
  random.fill(bytes);
  return base32(bytes);
}

/** @param now epoch milliseconds */
export function totpStep(now: number): number {
  return Math.floor(now / period);
}

/** The code of a time step (RFC 6238 §4, RFC 4226 §5.3). With SHA-1, six digits and 30 seconds, which every app can do. */
export function totpCode(secret: string, step: number): string {
  const message = Buffer.alloc(8);
  message.writeBigUInt64BE(BigInt(step));
  const digest = createHmac('sha1', base32Octets(secret)).update(message).digest();
  const offset = digest.readUInt8(digest.length - 1) & 0xf;
  const number = (digest.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** The time step whose code was typed; `undefined` if it is none that is valid now. It must be used only once. */
export function stepOfCode(secret: string, typed: string, now: number): number | undefined {
  return stepWithin(secret, typed, now, drift);
}

/** Whether the code is right for a clock that is wrong by up to two hours. Only for the person who has just got the secret. */
export function isOfWrongClock(secret: string, typed: string, now: number): boolean {
  return stepWithin(secret, typed, now, widestDrift) !== undefined;
}

function stepWithin(secret: string, typed: string, now: number, widest: number): number | undefined {
  const code = sha256(typed.replaceAll(/\s/g, ''));
  const first = Math.max(0, totpStep(now) - widest);
  let found: number | undefined;
  // Each is compared, so that the time does not tell which one is right.
  for (let step = first; step <= totpStep(now) + widest; step += 1)
    if (isSameDigest(sha256(totpCode(secret, step)), code)) found = step;
  return found;
}

/** What a QR code has for an app ("Key Uri Format" of Google Authenticator). @param issuer by which the app names the account */
export function totpUri(secret: string, issuer: string, username: string): string {
  // A colon ends the issuer in the label.
  const [from, name] = [issuer, username].map((text) => encodeURIComponent(text.replaceAll(':', ' ')));
  return `otpauth://totp/${from}:${name}?secret=${secret}&issuer=${from}&algorithm=SHA1&digits=${digits}&period=${period / 1000}`;
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 §6, without padding: a secret is a whole number of groups of five bytes. */
function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((group) => letters[Number.parseInt(group, 2)]).join('');
}

/** @param text of the letters of Base32, without padding */
export function base32Octets(text: string): Buffer {
  const bits = Array.from(text, (letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
