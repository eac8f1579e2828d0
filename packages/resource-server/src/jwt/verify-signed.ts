import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError, JWTExpired } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import type { VerificationKey } from './key-set.ts';

export interface Expected {
  readonly typ: string;
  /** One of several is enough. */
  readonly audience: string | string[];
  /** Not checked if it is absent. */
  readonly issuer?: string | undefined;
  /** Milliseconds by which the clocks may differ. */
  readonly clockTolerance?: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** `invalid`: not signed by the key, or not what is expected. `unsupported`: this platform cannot verify it. */
export type SignedOutcome =
  | { readonly kid: string; readonly claims: Readonly<Record<string, unknown>> }
  | 'expired'
  | 'invalid'
  | 'unsupported';

// Decoders take padding, other alphabets and any trailing bits, so that a signature would have many spellings; what is signed has one
// anyway (RFC 7515 §2, RFC 4648 §3.5).
const oneSpelling = /^(?:[\w-]{4})*(?:[\w-][AQgw]|[\w-]{2}[AEIMQUYcgkosw048])?$/;

/** Finds the key by its name. */
export type FindKey = (kid: string) => Promise<VerificationKey | undefined>;

/**
 * Verifies a JWT (RFC 7519 §7.2). Its header only names the key. The algorithm is that of the key: a header that names another one, or
 * none, or a shared secret, is invalid (RFC 8725 §3.1).
 *
 * @throws what `findKey` throws
 */
export async function verifySigned(
  text: string,
  findKey: FindKey,
  { typ, audience, issuer, clockTolerance = 0, now }: Expected,
): Promise<SignedOutcome> {
  if (!oneSpelling.test(text.slice(text.lastIndexOf('.') + 1))) return 'invalid';
  const kid = keyNameOf(text);
  const found = kid === undefined ? undefined : await findKey(kid);
  if (kid === undefined || found === undefined) return 'invalid';
  if (found.key === undefined) return 'unsupported';
  try {
    const { payload } = await jwtVerify(text, found.key, {
      algorithms: [found.algorithm],
      typ,
      audience,
      currentDate: new Date(now),
      clockTolerance: clockTolerance / 1000,
      ...(issuer !== undefined && { issuer }),
    });
    return { kid, claims: payload };
  } catch (error) {
    if (error instanceof JWTExpired) return 'expired';
    return error instanceof JOSEError ? 'invalid' : 'unsupported';
  }
}

// All tokens of a key have one header. Made-up ones displace it.
const mostHeaders = 100;
const keyNames = new Map<string, string>();

function keyNameOf(text: string): string | undefined {
  const header = text.slice(0, text.indexOf('.') + 1);
  const known = keyNames.get(header);
  if (known !== undefined) return known;
  try {
    const { kid } = decodeProtectedHeader(text);
    if (typeof kid !== 'string') return undefined;
    if (keyNames.size >= mostHeaders) keyNames.clear();
    keyNames.set(header, kid);
    return kid;
  } catch {
    return undefined;
  }
}
