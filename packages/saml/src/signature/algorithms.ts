import { constants, type KeyObject, verify } from 'node:crypto';
import { ds } from '../xml/namespaces.ts';

/** The key type and the parameters by which a signature is verified. */
export interface SignatureMethod {
  readonly keyType: 'rsa' | 'ec';
  readonly hash: string;
  /** Options of `verify` of Node.js, besides the key. */
  readonly options: {
    readonly padding?: number;
    readonly saltLength?: number;
    readonly dsaEncoding?: 'ieee-p1363' | 'der';
  };
}

const more = 'http://www.w3.org/2001/04/xmldsig-more#';
const rsa = (hash: string): SignatureMethod => ({ keyType: 'rsa', hash, options: {} });
const pss = (hash: string): SignatureMethod => ({
  keyType: 'rsa',
  hash,
  options: { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST },
});
// XML Signature concatenates r and s and does not use DER (RFC 9231 §2.3.6).
const ecdsa = (hash: string): SignatureMethod => ({
  keyType: 'ec',
  hash,
  options: { dsaEncoding: 'ieee-p1363' },
});

/** By URI (RFC 9231 §2.3), without broken methods such as SHA-1 and MD5. */
export const signatureMethods: ReadonlyMap<string, SignatureMethod> = new Map([
  [`${more}rsa-sha256`, rsa('sha256')],
  [`${more}rsa-sha384`, rsa('sha384')],
  [`${more}rsa-sha512`, rsa('sha512')],
  ['http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1', pss('sha256')],
  [`${more}ecdsa-sha256`, ecdsa('sha256')],
  [`${more}ecdsa-sha384`, ecdsa('sha384')],
  [`${more}ecdsa-sha512`, ecdsa('sha512')],
]);

/** Names of hashes by URI (RFC 9231 §2.1). */
export const digestMethods: ReadonlyMap<string, string> = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  [`${more}sha384`, 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
]);

/** For identity providers without SHA-2, if the operator allows it. Collisions of SHA-1 have been practical since 2017. */
export const sha1 = {
  signatureMethods: new Map([[`${ds}rsa-sha1`, rsa('sha1')]]),
  digestMethods: new Map([[`${ds}sha1`, 'sha1']]),
} as const;

/** Name of the hash of a digest method; `undefined` for an unknown one. */
export function hashOf(digestMethod: string): string | undefined {
  return digestMethods.get(digestMethod) ?? sha1.digestMethods.get(digestMethod);
}

/** The curves P-256, P-384 and P-521, by their names in OpenSSL. */
export const curves: readonly string[] = ['prime256v1', 'secp384r1', 'secp521r1'];

/** Whether the key made the signature; `false` for a key of another type than the method's. */
export function isSignature(
  signature: Buffer,
  data: string,
  key: KeyObject,
  { keyType, hash, options }: SignatureMethod,
): boolean {
  return key.asymmetricKeyType === keyType && verify(hash, Buffer.from(data), { key, ...options }, signature);
}
