import { OAuthError, type OAuthErrorDetails } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Confirmation } from '../model/records/access-token.ts';
import type { Client } from '../model/records/client.ts';
import type { RequestHead } from '../model/request-head.ts';
import type { DpopProofs } from './dpop-proofs.ts';

export { type CertificateForm, certificateForms, certificateThumbprint } from '@watchword/proofs';

/** What the sender of a request has proved to have. Tokens are bound to it, so that nobody else can use them. */
export interface SenderConstraint {
  readonly confirmation: Confirmation;
  /** Stores that the proof is used. A caller must await it before it answers. @throws OAuthError if it was used before */
  use(): Promise<void>;
}

/**
 * What the sender of a token request has proved; `undefined` if it has proved nothing. A certificate counts for clients alone that ask for it:
 * a proxy can ask all of them for one.
 *
 * @throws OAuthError `invalid_dpop_proof`, `use_dpop_nonce`
 */
export function senderConstraint(
  request: RequestHead,
  { tlsClientCertificateBoundAccessTokens }: Client,
  dpopProofs: DpopProofs,
): Promise<SenderConstraint> | SenderConstraint | undefined {
  const certificate = tlsClientCertificateBoundAccessTokens ? request.clientCertificate : undefined;
  const confirmation = certificate === undefined ? {} : { 'x5t#S256': certificate };
  if (request.headers.dpop === undefined) {
    return certificate === undefined ? undefined : { confirmation, use: async () => {} };
  }
  return dpopProofs.check(request).then(({ jkt, use }) => ({ confirmation: { ...confirmation, jkt }, use }));
}

/** @throws OAuthError `invalid_dpop_proof`, `invalid_request` for a client that must prove more than it has */
export function requireConstraint(
  { dpopBoundAccessTokens, tlsClientCertificateBoundAccessTokens }: Client,
  constraint: SenderConstraint | undefined,
): void {
  if (dpopBoundAccessTokens && constraint?.confirmation.jkt === undefined) {
    throw new OAuthError('invalid_dpop_proof', because('required_proof'));
  }
  if (tlsClientCertificateBoundAccessTokens && constraint?.confirmation['x5t#S256'] === undefined) {
    throw new OAuthError('invalid_request', because('required_certificate'));
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
  if (lacking === 'x5t#S256') return because('bound_certificate', { of });
  return because('bound_key', { of, came: proved[lacking] === undefined ? 'none' : 'another key' });
}
