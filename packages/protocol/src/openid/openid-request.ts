import type { ClaimsRequest } from '../model/claims-request.ts';

/**
 * What an authorization request has of OpenID Connect (OpenID Connect Core §3.1.2.1); absent where `openid` is not requested.
 * It travels in sealed states, so `JSON.stringify` must be able to write it.
 */
export interface OpenidRequest {
  /** At most 512 octets. Always there if the authorization endpoint issues an ID token (§3.2.2.1). */
  readonly nonce?: string;
  readonly claims?: ClaimsRequest;
  /**
   * `sub` of the only user for whom the client accepts an answer, as this client knows the user: of `id_token_hint`, or of the
   * claim `sub` with a value.
   */
  readonly hintedSubject?: string;
}
