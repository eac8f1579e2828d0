import { type DpopProof, dpopWindow, ProofError, verifyDpopProof } from '@watchword/proofs';
import { nonceLifetime, type ProofNonces } from '../keys/proof-nonces.ts';
import { OAuthError, type OAuthErrorDetails } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { RequestHead } from '../model/request-head.ts';
import type { OneTimeStore } from '../ports/stores/logins/one-time-store.ts';
import type { Clock } from '../ports/system/clock.ts';
import type { ProfileChecks } from '../rules/profile-checks.ts';
import { sha256 } from '../rules/sha256.ts';

export { dpopAlgorithms } from '@watchword/proofs';

/** A proof that is good for its request, and is not used yet. */
export interface UnusedProof {
  /** Thumbprint of its key (RFC 7638). */
  readonly jkt: string;
  /**
   * Stores that it is used, once however often it is called. A caller must await it before it answers.
   *
   * @throws OAuthError `invalid_dpop_proof` or `invalid_token_proof` if it was used before
   */
  use(): Promise<void>;
}

/** Checks the DPoP proofs of requests (RFC 9449 §4.3). */
export interface DpopProofs {
  /**
   * The proof of a request that has the header. A proof with a nonce of this server counts by the time of the nonce, so that a client with a
   * wrong clock can have one; any other by its own.
   *
   * @param accessToken that the request presents; absent where it asks for one
   * @throws OAuthError `invalid_dpop_proof`, `use_dpop_nonce`; with an access token `invalid_token_proof`, `use_token_nonce`
   */
  check(request: RequestHead, accessToken?: string): Promise<UnusedProof>;
}

export interface DpopDependencies {
  readonly clock: Clock;
  readonly oneTime: Pick<OneTimeStore, 'put'>;
  readonly proofNonces: ProofNonces;
  /** Every proof must have a nonce. Default: only one whose time is wrong. */
  readonly requiresNonce?: boolean;
  /** Absent: `compatible`. */
  readonly profile?: ProfileChecks | undefined;
}

export function dpopProofs(deps: DpopDependencies): DpopProofs {
  return {
    async check(request, accessToken) {
      const refusals = accessToken === undefined ? ofTokenRequest : ofTokenUse;
      const proof = await verified(request, accessToken, deps).catch((error: unknown) => {
        if (!(error instanceof ProofError)) throw error;
        throw new OAuthError(refusals.invalid, because('valid_proof', error));
      });
      const usableUntil = await endOf(proof, request, refusals, deps);
      let used: Promise<void> | undefined;
      const use = async () => {
        const digest = sha256(`${proof.jkt} ${proof.jti}`).toString('base64url');
        if (await deps.oneTime.put(`dpop:${digest}`, '', usableUntil)) return;
        throw new OAuthError(refusals.invalid, because('unused_proof'));
      };
      return {
        jkt: proof.jkt,
        use() {
          used ??= use();
          return used;
        },
      };
    },
  };
}

const ofTokenRequest = { invalid: 'invalid_dpop_proof', nonce: 'use_dpop_nonce' } as const;
const ofTokenUse = { invalid: 'invalid_token_proof', nonce: 'use_token_nonce' } as const;

/** The times of the proof are not checked. @throws ProofError */
function verified(
  { method, url, headers: { dpop } }: RequestHead,
  accessToken: string | undefined,
  { clock, profile }: DpopDependencies,
): Promise<DpopProof> {
  return verifyDpopProof(String(dpop), {
    method,
    url,
    now: clock.now(),
    accessToken,
    window: Number.POSITIVE_INFINITY,
    algorithms: profile?.clientAlgorithms,
  });
}

/**
 * Gives the client the next nonce, if it needs one.
 *
 * @returns epoch milliseconds: from then on the same proof is refused for its time
 * @throws OAuthError if it must have a nonce, or another one
 */
async function endOf(
  { nonce, issuedAt }: DpopProof,
  request: RequestHead,
  { nonce: kind }: typeof ofTokenRequest | typeof ofTokenUse,
  { clock, proofNonces, requiresNonce = false }: DpopDependencies,
): Promise<number> {
  const now = clock.now();
  const refused = async (why: OAuthErrorDetails) =>
    new OAuthError(kind, { ...why, dpopNonce: await proofNonces.make() });
  if (nonce === undefined) {
    if (requiresNonce) throw await refused(because('proof_nonce', { came: 'none' }));
    if (Math.abs(now - issuedAt) > dpopWindow) throw await refused(because('proof_time', { issuedAt, now }));
    // Not of the same second as others, whose order is random: so the index by the end grows at its end.
    return Math.ceil(Math.max(issuedAt, now) + dpopWindow);
  }
  const madeAt = await proofNonces.madeAt(nonce);
  if (madeAt === undefined) throw await refused(because('proof_nonce', { came: 'another one' }));
  if (now - madeAt > nonceLifetime / 2) request.nextNonce = await proofNonces.make();
  return madeAt + nonceLifetime;
}
