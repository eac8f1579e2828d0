import { openidScopes } from '../model/openid-scope.ts';
import type { SigningAlgorithm } from '../model/signing-algorithm.ts';

/** What the metadata of an OpenID provider depends on. */
export interface OpenidCapabilities {
  readonly signingAlgorithms: readonly SigningAlgorithm[];
  /** Names of the claims of users. */
  readonly claims: readonly string[];
  /** Authentication context classes that a login can reach. */
  readonly loginClasses: readonly string[];
  /** Languages of the pages (BCP 47). */
  readonly languages: readonly string[];
}

// Claims about the login, which ID tokens have beside those of the user.
const loginClaims = ['iss', 'sub', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'sid'];

/**
 * The members that OpenID Connect adds to the metadata of the server (OpenID Connect Discovery §3).
 *
 * @param issuer the base URL, without a slash at its end
 */
export function openidMetadata(
  issuer: string,
  { signingAlgorithms, claims, loginClasses, languages }: OpenidCapabilities,
): Readonly<Record<string, unknown>> {
  return {
    userinfo_endpoint: `${issuer}/oauth2/userinfo`,
    scopes_supported: openidScopes,
    subject_types_supported: ['public', 'pairwise'],
    id_token_signing_alg_values_supported: signingAlgorithms,
    userinfo_signing_alg_values_supported: signingAlgorithms,
    // JWT Secured Authorization Response Mode §4.
    authorization_signing_alg_values_supported: signingAlgorithms,
    claim_types_supported: ['normal'],
    claims_supported: [...loginClaims, ...claims],
    acr_values_supported: loginClasses,
    claims_parameter_supported: true,
    display_values_supported: ['page', 'popup', 'touch', 'wap'],
    ui_locales_supported: languages,
  };
}
