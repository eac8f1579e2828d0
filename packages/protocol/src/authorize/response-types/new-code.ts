import { type OAuthErrorDetails, RedirectableError } from '../../model/errors/errors.ts';
import { because } from '../../model/errors/rules/error-rules.ts';
import type { AuthorizationCode } from '../../model/records/authorization-code.ts';
import { type Client, isPublicClient } from '../../model/records/client.ts';
import type { Random } from '../../ports/crypto/random.ts';
import type { AuthorizationCodeStore } from '../../ports/stores/grants/authorization-code-store.ts';
import { isCodeChallenge } from '../../rules/pkce.ts';
import { createBearerValue } from '../../tokens/bearer-value.ts';
import { type AuthorizationParameters, firstValue } from '../parameters.ts';
import type { GrantedRequest } from './response-type.ts';

export interface CodeDependencies {
  readonly authorizationCodes: AuthorizationCodeStore;
  readonly random: Random;
  /** Seconds until an authorization code expires. */
  readonly codeLifetime: number;
}

/** Who alone can redeem a code: PKCE (RFC 7636 §4.3), and the key of DPoP proofs (RFC 9449 §10). */
export interface CodeBinding {
  /** S256. */
  readonly codeChallenge?: string;
  readonly dpopJkt?: string;
}

export const pkceMetadata = { code_challenge_methods_supported: ['S256'] } as const;

export function readBinding(
  parameters: AuthorizationParameters,
  client: Client,
): CodeBinding | RedirectableError {
  const pkce = readPkce(parameters, client);
  const dpopJkt = firstValue(parameters, 'dpop_jkt');
  if (pkce instanceof RedirectableError || dpopJkt === undefined) return pkce;
  // The digest of a key has the form of a challenge.
  return isCodeChallenge(dpopJkt)
    ? { ...pkce, dpopJkt }
    : new RedirectableError('invalid_request', because('dpop_jkt_form'));
}

/** Public clients must use PKCE, other clients can (RFC 9700 §2.1.1). */
function readPkce(parameters: AuthorizationParameters, client: Client): CodeBinding | RedirectableError {
  const codeChallenge = firstValue(parameters, 'code_challenge');
  const method = firstValue(parameters, 'code_challenge_method');
  if (codeChallenge === undefined && method === undefined && !isPublicClient(client)) return {};
  const invalid = (why: OAuthErrorDetails) => new RedirectableError('invalid_request', why);
  if (codeChallenge === undefined) {
    const facts = { isPublic: isPublicClient(client), hasMethod: method !== undefined };
    return invalid(because('pkce_challenge', facts));
  }
  if (method !== 'S256') return invalid(because('pkce_method', { method }));
  if (!isCodeChallenge(codeChallenge)) return invalid(because('pkce_challenge_form', { codeChallenge }));
  return { codeChallenge };
}

/** An authorization code that is not stored yet (RFC 6749 §4.1.2), and its text. */
export function newCode(
  { client, grant, redirectUri, openid, answer }: GrantedRequest,
  { codeChallenge, dpopJkt }: CodeBinding,
  { random, codeLifetime }: CodeDependencies,
): { readonly code: AuthorizationCode; readonly codeValue: string } {
  const { scopes, creationDate } = grant;
  const { value, id, verifierHash } = createBearerValue('code', creationDate, random, grant.id, answer?.id);
  const code = {
    id,
    verifierHash,
    grantId: grant.id,
    clientRecordId: client.id,
    redirectUri,
    codeChallenge,
    ...(openid?.nonce !== undefined && { nonce: openid.nonce }),
    ...(dpopJkt !== undefined && { dpopJkt }),
    scopes,
    expires: creationDate + codeLifetime * 1000,
    creationDate,
  };
  return { code, codeValue: value };
}
