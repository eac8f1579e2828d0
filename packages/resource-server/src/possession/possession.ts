import { dpopAlgorithms, ProofError, sha256, verifyDpopProof } from '@watchword/proofs';
import { type Challenge, ProofRejected, TokenRejected } from '../errors.ts';
import { isLoopback } from '../options/kinds.ts';
import type { Settings } from '../options/options.ts';
import type { UsedProofs } from '../options/token-verifier-options.ts';
import type { Clocks } from '../platform/system.ts';
import type { ServerAddresses } from '../requests/server-addresses.ts';
import type { TokenInfo } from '../token-info.ts';
import type { PresentedToken } from '../token-syntax.ts';
import type { Asked } from './asked.ts';
import { clientCertificates } from './client-certificate.ts';
import { Nonces } from './nonces.ts';
import { ProofMemory, type ProofUse } from './used-proofs.ts';

/** Checks that who sends a token possesses the key that it is bound to. Guards ask it. */
export interface Possession {
  /** Of proofs (RFC 9449 §7.1), as far as this API knows its server: there can be fewer later. */
  readonly algorithms: readonly string[];
  /** Whether this API knows its own URLs, so that it offers DPoP to clients. */
  readonly isOffered: boolean;
  /**
   * @param asked `undefined` if nothing is known of the request, so that no bound token is accepted
   * @param challenge of the answer to a request that is refused
   * @throws TokenRejected, ProofRejected
   */
  prove(
    info: TokenInfo,
    presented: PresentedToken,
    asked: Asked | undefined,
    challenge: Challenge,
  ): Promise<void>;
}

interface PossessionDependencies extends Pick<Clocks, 'now'> {
  /** Takes a message for operators. */
  readonly warn: (kind: string, message: string) => void;
  /** What the server has said of itself. Default: nothing. */
  readonly server?: Pick<ServerAddresses, 'proofAlgorithms'>;
}

/** For operators of an API that does not know its own URL. */
export const unknownUrl =
  'A token that is bound to a key was refused, because a proof names the URL of the request, and this API does not know its own: set the option publicUrl to the URL by which clients reach it';

/** What a guard of a request has checked. */
interface Proven {
  readonly token: string;
  readonly proof: string;
}

export function possessionOf(settings: Settings, deps: PossessionDependencies): Possession {
  const { publicUrl, dpop } = settings;
  const { window } = dpop;
  const usedProofs: Pick<ProofMemory, 'use'> | UsedProofs = dpop.usedProofs ?? new ProofMemory(deps.now);
  const nonces = dpop.nonceSecret === undefined ? undefined : new Nonces(dpop.nonceSecret, deps);
  const certificateOf =
    settings.clientCertificate &&
    clientCertificates(settings.clientCertificate, (message) => deps.warn('clientCertificate', message));
  const proven = new WeakMap<object, Proven>();
  const possession: Possession = {
    get algorithms() {
      return dpop.algorithms ?? deps.server?.proofAlgorithms ?? dpopAlgorithms;
    },
    isOffered: publicUrl.length > 0,
    prove,
  };
  return possession;

  async function prove(
    { cnf }: TokenInfo,
    presented: PresentedToken,
    asked: Asked | undefined,
    challenge: Challenge,
  ): Promise<void> {
    if (cnf === undefined) throw new TokenRejected('unbound', challenge);
    const { jkt, 'x5t#S256': thumbprint } = cnf;
    const isOfScheme = presented.scheme === (jkt === undefined ? 'Bearer' : 'DPoP');
    // A token that is bound to something that is unknown here is as good as lost.
    if (!isOfScheme || asked === undefined || (jkt ?? thumbprint) === undefined) {
      throw new TokenRejected('bound', challenge);
    }
    if (thumbprint !== undefined && (await certificateOf?.(asked)) !== thumbprint) {
      throw new TokenRejected('bound', challenge);
    }
    if (jkt !== undefined) await proveByDpop(jkt, presented.token, asked, challenge);
  }

  async function proveByDpop(
    expected: string,
    accessToken: string,
    asked: Asked,
    challenge: Challenge,
  ): Promise<void> {
    const proof = proofOf(asked);
    if (proof === undefined) throw new ProofRejected('missing', challenge);
    const before = proven.get(asked.request);
    if (before?.proof === proof && before.token === accessToken) return;
    const urls = urlsOf(asked.url(), publicUrl);
    if (urls.length === 0) {
      deps.warn('publicUrl', unknownUrl);
      throw new TokenRejected('bound', challenge);
    }
    const { method = '' } = asked;
    const { algorithms } = possession;
    const request = { method, url: urls, accessToken, algorithms, window, now: deps.now() };
    const isNonce = nonces && ((nonce: string) => nonces.isUsable(nonce));
    const { jkt, jti, usableUntil } = await verifyDpopProof(proof, { ...request, isNonce }).catch(
      async (error: unknown) => {
        if (!(error instanceof ProofError)) throw error;
        const nonce = error.rule === 'nonce' ? await nonces?.issue() : undefined;
        throw new ProofRejected(error.rule, challenge, { message: error.message, nonce });
      },
    );
    if (jkt !== expected) throw new TokenRejected('bound', challenge);
    const use: ProofUse = await usedProofs.use(await sha256(`${jkt} ${jti}`), usableUntil, jkt);
    if (use === 'many' || !use) throw new ProofRejected(use || 'replay', challenge);
    proven.set(asked.request, { token: accessToken, proof });
  }
}

/** Where the client can have sent the request, by what this API knows of itself: a proof that was made for another server names that one. */
function urlsOf(url: string, publicUrl: readonly string[]): readonly string[] {
  const [, origin = '', path = ''] = /^(\w+:\/\/[^/?#]*)?(.*)$/.exec(url) ?? [];
  if (publicUrl.length > 0) return publicUrl.map((base) => `${base}${path}`);
  // Nobody else makes a client name this machine.
  return isLoopback(origin) ? [url] : [];
}

/** The header `DPoP`. Several of them are refused by the rule of the form. */
function proofOf({ header }: Asked): string | undefined {
  const value = header('dpop') ?? undefined;
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}
