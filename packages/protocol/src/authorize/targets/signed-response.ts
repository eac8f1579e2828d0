import type { SigningAlgorithm } from '../../model/signing-algorithm.ts';
import type { TokenSigner } from '../../ports/crypto/token-signer.ts';
import type { Clock } from '../../ports/system/clock.ts';
import { formPost } from './form-post.ts';
import { fragment, query } from './redirect.ts';
import type { ResponseParameters, ResponseSignature, TargetKind } from './target-kind.ts';

/**
 * The targets whose responses are JWTs (JWT Secured Authorization Response Mode §2.3). The mode `jwt` is the one of them that the response
 * type has without a mode.
 */
export const signedTargets = {
  'query.jwt': { ...query, name: 'query.jwt', isSigned: true },
  'fragment.jwt': { ...fragment, name: 'fragment.jwt', isSigned: true },
  'form_post.jwt': { ...formPost, name: 'form_post.jwt', isSigned: true },
} as const satisfies Readonly<Record<string, TargetKind>>;

export interface SignedResponseDependencies {
  /** The base URL. */
  readonly issuer: string;
  readonly signer: TokenSigner;
  readonly clock: Clock;
}

/** Seconds: as short as the specification recommends (§2.1). A code ends earlier. */
const lifetime = 600;

/**
 * The parameters of a response, as one that has them in a JWT.
 *
 * @throws StoreUnavailableError or an error of the key management if no key can sign
 */
export async function signedParameters(
  parameters: ResponseParameters,
  { audience, algorithm: registered }: ResponseSignature,
  { signer, clock }: SignedResponseDependencies,
): Promise<ResponseParameters> {
  const claims = { ...parameters, aud: audience, exp: Math.floor(clock.now() / 1000) + lifetime };
  const algorithm = usable(registered, signer);
  return { response: await signer.sign(claims, { algorithm, type: 'JWT' }) };
}

/** An error must reach the client too, so another algorithm stands in for one with which the server signs no longer. */
function usable(registered: SigningAlgorithm | '', { algorithms }: TokenSigner): SigningAlgorithm {
  const [first] = algorithms;
  if (registered !== '' && algorithms.includes(registered)) return registered;
  if (first === undefined) throw new Error('the server has no algorithm of signatures');
  return first;
}
