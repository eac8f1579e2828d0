import { decode } from 'jose/base64url';
import { loadJose } from './load-jose.ts';
import { platform } from './platform.ts';
import { rsaBits, type SignatureAlgorithm } from './public-key.ts';

/** Whether a JWT in compact form is signed by one key. */
export type SignatureCheck = (jwt: string) => Promise<boolean>;

/** The members of a JSON Web Key that are public. */
export type VerifyingJwk = { readonly kty: string };

/**
 * Verifies signatures of a key. Node.js does so without the turns of WebCrypto, in its thread pool, so that other requests go on; elsewhere it is
 * by jose.
 *
 * @throws for a key that cannot be read; or rejects
 */
export function signatureCheck(
  jwk: VerifyingJwk,
  algorithm: SignatureAlgorithm,
): SignatureCheck | Promise<SignatureCheck> {
  return nodeCheck(jwk, algorithm) ?? webCheck(jwk, algorithm);
}

export async function webCheck(jwk: VerifyingJwk, algorithm: SignatureAlgorithm): Promise<SignatureCheck> {
  const { compactVerify, importJWK } = await loadJose();
  const key = await importJWK(jwk, algorithm);
  return (jwt) =>
    compactVerify(jwt, key, { algorithms: [algorithm] }).then(
      () => true,
      () => false,
    );
}

interface NodeCrypto {
  readonly constants: Readonly<Record<'RSA_PKCS1_PSS_PADDING' | 'RSA_PSS_SALTLEN_DIGEST', number>>;
  createPublicKey(key: { readonly key: VerifyingJwk; readonly format: 'jwk' }): {
    readonly asymmetricKeyDetails?: { readonly modulusLength?: number };
  };
  verify(
    digest: string | null,
    bytes: Uint8Array,
    key: { readonly key: unknown },
    signature: Uint8Array,
    callback: (error: Error | null, isSigned: boolean) => void,
  ): void;
}

/** `undefined` on other platforms: what they have of `node:crypto` differs. */
export function nodeCheck(
  jwk: VerifyingJwk,
  algorithm: SignatureAlgorithm,
  userAgent = platform.navigator?.userAgent,
): SignatureCheck | undefined {
  if (!userAgent?.startsWith('Node.js/')) return undefined;
  const crypto = platform.process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined;
  if (crypto === undefined) return undefined;
  const { RSA_PKCS1_PSS_PADDING: padding, RSA_PSS_SALTLEN_DIGEST: saltLength } = crypto.constants;
  const key = crypto.createPublicKey({ key: jwk, format: 'jwk' });
  const { modulusLength = rsaBits.least } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < rsaBits.least)
    throw new Error(`expected at least ${rsaBits.least} bits, got ${modulusLength}`);
  const verified = {
    key,
    dsaEncoding: 'ieee-p1363',
    ...(algorithm.startsWith('PS') && { padding, saltLength }),
  };
  // The others have a digest of their own.
  const size = /^[EPR]S(\d+)$/.exec(algorithm)?.[1];
  const digest = size === undefined ? null : `sha${size}`;
  const encoder = new platform.TextEncoder();
  const verify = (signed: Uint8Array, signature: Uint8Array, done: (isSigned: boolean) => void) => {
    try {
      crypto.verify(digest, signed, verified, signature, (error, isSigned) =>
        done(error === null && isSigned),
      );
    } catch {
      done(false);
    }
  };
  return async (jwt) => {
    const end = jwt.lastIndexOf('.');
    let signature: Uint8Array;
    try {
      signature = decode(jwt.slice(end + 1));
    } catch {
      return false;
    }
    const signed = encoder.encode(jwt.slice(0, end));
    return together((done) => verify(signed, signature, done));
  };
}

/** Signatures that are verified at the same time. */
interface Group {
  size: number;
  readonly answers: (() => void)[];
}

/** So that the first of a burst does not wait for all. */
const mostTogether = 24;

/** The one that others can join: none of it is verified yet. */
let open: Group | undefined;

/**
 * Answers all at once that came before the first of them was verified. One by one, their requests would go on one by one, each with a turn of the
 * event loop and a commit of its own, which costs about as much as the signature.
 *
 * @param verify must call back once, whatever happens: others wait for it
 */
function together(verify: (done: (isSigned: boolean) => void) => void): Promise<boolean> {
  open ??= { size: 0, answers: [] };
  const group = open;
  group.size += 1;
  if (group.size === mostTogether) open = undefined;
  return new Promise((resolve) => {
    verify((isSigned) => {
      if (open === group) open = undefined;
      if (group.answers.push(() => resolve(isSigned)) < group.size) return;
      for (const answer of group.answers) answer();
    });
  });
}
