import { OAuthError, type OAuthErrorDetails } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Confirmation } from '../model/records/access-token.ts';
import type { Client } from '../model/records/client.ts';
import type { RequestHead } from '../model/request-head.ts';
import type { DpopProofs } from './dpop-proofs.ts';

/** What the sender of a request has proved to have. Tokens are bound to it, so that nobody else can use them. */
export interface SenderConstraint {
  readonly confirmation: Confirmation;
  /** Stores that the proof is used. A caller must await it before it answers. @throws OAuthError if it was used before */
  use(): Promise<void>;
}

/**
 * What the sender of a token request has proved; `undefined` if it has proved nothing.
 *
 * @throws OAuthError `invalid_dpop_proof`, `use_dpop_nonce`
 */
export function senderConstraint(
  request: RequestHead,
  dpopProofs: DpopProofs,
): Promise<SenderConstraint> | undefined {
  if (request.headers.dpop === undefined) return undefined;
  return dpopProofs.check(request).then(({ jkt, use }) => ({ confirmation: { jkt }, use }));
}

/** @throws OAuthError `invalid_dpop_proof` for a client that must prove more than it has */
export function requireConstraint(
  { dpopBoundAccessTokens }: Client,
  constraint: SenderConstraint | undefined,
): void {
  if (dpopBoundAccessTokens && constraint?.confirmation.jkt === undefined) {
    throw new OAuthError('invalid_dpop_proof', because('required_proof'));
  }
}

/**
 * Why a request cannot use what is bound; `undefined` if it can.
 *
 * @param of what is bound, for the error
 */
export function keyMismatch(
  of: string,
  bound: Confirmation = {},
  proved: Confirmation = {},
): OAuthErrorDetails | undefined {
  const methods = Object.keys(bound) as (keyof Confirmation)[];
  const lacking = methods.find((method) => bound[method] !== undefined && bound[method] !== proved[method]);
  if (lacking === undefined) return undefined;
  return because('bound_key', { of, came: proved[lacking] === undefined ? 'none' : 'another key' });
}
