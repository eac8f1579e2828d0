import { decode } from 'jose/base64url';
import { isOneOf } from './key-set.ts';
import { platform } from './platform.ts';
import { ProofError, shown } from './proof-error.ts';
import {
  isSignatureAlgorithm,
  type PublicJwk,
  readPublicJwk,
  type SignatureAlgorithm,
  thumbprint,
} from './public-key.ts';
import { sha256 } from './sha256.ts';
import { type SignatureCheck, signatureCheck } from './signature.ts';
import { normalizedUrl } from './url.ts';

/** The algorithms of proofs, unless a caller allows fewer. */
export const dpopAlgorithms: readonly SignatureAlgorithm[] = [
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
  'PS256',
  'RS256',
];

/** Milliseconds by which the time of a proof and of the server can differ, either way, unless a caller says otherwise. */
export const dpopWindow = 60_000;

/** The request that a proof has to be for. */
export interface ProvenRequest {
  readonly method: string;
  /** As the client sees it, or several that it can have seen. Query and fragment do not count. */
  readonly url: string | readonly string[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** The access token of the request. Without one, `ath` is not read. */
  readonly accessToken?: string | undefined;
  /** Whether the caller made the nonce, and accepts it still. Without it, nonces are not read. */
  readonly isNonce?: ((nonce: string) => boolean | Promise<boolean>) | undefined;
  readonly algorithms?: readonly string[] | undefined;
  /** Milliseconds. Default {@link dpopWindow}; `Infinity` leaves the time to the caller. */
  readonly window?: number | undefined;
}

/** What a good proof says. */
export interface DpopProof {
  /** Thumbprint of the key (RFC 7638), as in `cnf` and `dpop_jkt`. */
  readonly jkt: string;
  readonly jti: string;
  /** As it came: only `isNonce` checks it. */
  readonly nonce?: string;
  /** Epoch milliseconds. */
  readonly issuedAt: number;
  /** Epoch milliseconds: until then the caller has to refuse a second proof of the same key with the same `jti`. */
  readonly usableUntil: number;
}

/** Longer proofs than any key needs take time to read. */
const maxLength = 8192;

/**
 * Verifies the value of a header `DPoP` by all checks of RFC 9449 §4.3. The caller has to refuse a proof that comes again
 * ({@link DpopProof.usableUntil}), and to compare `jkt` with the key that a token is bound to.
 *
 * @throws ProofError
 */
export async function verifyDpopProof(proof: string, request: ProvenRequest): Promise<DpopProof> {
  const parts = proof.length <= maxLength ? compact.exec(proof) : null;
  if (parts === null) throw new ProofError('form', `${proof.length} characters of another form`);
  const [, header = '', payload = ''] = parts;
  const { algorithms = dpopAlgorithms, window = dpopWindow } = request;
  const { algorithm, jkt, isSigned } = known.get(header) ?? (await newKey(header, algorithms));
  if (!isOneOf(algorithm, algorithms)) throw new ProofError('algorithm', algorithm, algorithms.join(', '));
  // The cheap checks are first: most wrong proofs cost no verification.
  const claims = readJson(payload);
  const issuedAt = readRequest(claims, request, window);
  if (request.accessToken !== undefined) await readToken(claims.ath, request.accessToken);
  if (!(await isSigned(proof))) throw new ProofError('signature', 'another one');
  const { jti, nonce } = claims;
  if (request.isNonce !== undefined) await readNonce(nonce, request.isNonce);
  return {
    jkt,
    jti: String(jti),
    ...(typeof nonce === 'string' && { nonce }),
    issuedAt,
    usableUntil: issuedAt + window,
  };
}

const compact = /^([\w-]+)\.([\w-]+)\.[\w-]+$/;

type Members = Readonly<Record<string, unknown>>;

const utf8 = new platform.TextDecoder('utf-8', { fatal: true });

/** @throws ProofError `form` */
function readJson(part: string): Members {
  try {
    const value = JSON.parse(utf8.decode(decode(part)));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Answered below.
  }
  throw new ProofError('form', 'a part that is no JSON object in base64url');
}

interface ProofKey {
  readonly algorithm: SignatureAlgorithm;
  readonly jkt: string;
  readonly isSigned: SignatureCheck;
}

/** A client writes the same header into each proof, and reading a key costs more than verifying with it. */
const known = new Map<string, ProofKey>();
const mostKnown = 1000;
/** Bounds the memory; that of a key of RSA with 4096 bits is shorter. */
const longestKnown = 1536;

/** @throws ProofError */
async function newKey(header: string, algorithms: readonly string[]): Promise<ProofKey> {
  const key = await readHeader(readJson(header), algorithms);
  if (header.length > longestKnown) return key;
  known.set(header, key);
  // The oldest. If it is still in use, it is soon there again.
  if (known.size > mostKnown) known.delete(known.keys().next().value as string);
  return key;
}

async function readHeader(
  { typ, alg, jwk, crit }: Members,
  algorithms: readonly string[],
): Promise<ProofKey> {
  if (typeof typ !== 'string' || !/^(?:application\/)?dpop\+jwt$/i.test(typ)) {
    throw new ProofError('type', shown(typ));
  }
  if (crit !== undefined) throw new ProofError('form', 'a critical extension');
  if (!isSignatureAlgorithm(alg)) throw new ProofError('algorithm', shown(alg), algorithms.join(', '));
  const publicJwk = readPublicJwk(jwk, alg);
  const [jkt, isSigned] = [await thumbprint(publicJwk), await checkOf(publicJwk, alg)];
  return { algorithm: alg, jkt, isSigned };
}

/** @throws ProofError `key` */
async function checkOf(jwk: PublicJwk, algorithm: SignatureAlgorithm): Promise<SignatureCheck> {
  try {
    return await signatureCheck(jwk, algorithm);
  } catch {
    throw new ProofError('key', 'one that this server cannot read', `a key for ${algorithm}`);
  }
}

/** Compares claims with the request. @returns the time of issue, in epoch milliseconds. @throws ProofError */
function readRequest(claims: Members, request: ProvenRequest, window: number): number {
  const { htm, htu, iat, jti } = claims;
  if (htm !== request.method) throw new ProofError('method', shown(htm), shown(request.method));
  readUrl(htu, [request.url].flat());
  if (typeof jti !== 'string' || jti.length < 1 || jti.length > 256) {
    throw new ProofError('id', typeof jti === 'string' ? `${jti.length} characters` : shown(jti));
  }
  return readTime(iat, request.now, window);
}

/** Most clients send the URL as it is, so that no parser is needed to see it. */
const plainUrl = /^https?:\/\/[\w.~:/-]+$/;

function readUrl(htu: unknown, urls: readonly string[]): void {
  if (typeof htu === 'string' && urls.includes(htu) && plainUrl.test(htu)) return;
  const normalized = urls.map(normalizedUrl);
  const claimed = typeof htu === 'string' ? normalizedUrl(htu) : undefined;
  if (claimed !== undefined && normalized.includes(claimed)) return;
  const came = claimed === undefined ? 'no URL' : shown(claimed);
  throw new ProofError('url', came, normalized.map(shown).join(' or '));
}

function readTime(iat: unknown, now: number, window: number): number {
  const issuedAt = typeof iat === 'number' ? iat * 1000 : Number.NaN;
  const difference = Math.round((issuedAt - now) / 1000);
  if (Number.isFinite(difference) && Math.abs(issuedAt - now) <= window) return issuedAt;
  const detail = Number.isFinite(window) ? `at most ${window / 1000} seconds away` : undefined;
  if (!Number.isFinite(difference)) throw new ProofError('time', shown(iat), detail);
  const came = `${Math.abs(difference)} seconds ${difference > 0 ? 'in the future' : 'ago'}`;
  throw new ProofError('time', came, detail);
}

async function readToken(ath: unknown, accessToken: string): Promise<void> {
  if (ath === (await sha256(accessToken))) return;
  throw new ProofError('token', ath === undefined ? 'none' : 'that of another token');
}

async function readNonce(nonce: unknown, isNonce: NonNullable<ProvenRequest['isNonce']>): Promise<void> {
  if (typeof nonce === 'string' && (await isNonce(nonce))) return;
  throw new ProofError('nonce', nonce === undefined ? 'none' : 'another one');
}
