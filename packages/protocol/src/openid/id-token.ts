import { hash } from 'node:crypto';
import { RedirectableError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Client } from '../model/records/client.ts';
import type { Grant } from '../model/records/grant.ts';
import type { Scopes } from '../model/scope.ts';
import type { SigningAlgorithm } from '../model/signing-algorithm.ts';
import type { JwtClaims, TokenSigner } from '../ports/crypto/token-signer.ts';
import type { Registry } from '../ports/stores/registry.ts';
import type { Clock } from '../ports/system/clock.ts';
import { splitScopes } from './scopes.ts';
import { sessionIdFor } from './session-id.ts';
import type { Subjects } from './subjects.ts';
import type { UserClaims } from './user-claims.ts';

export interface IdTokenDependencies {
  readonly signer: TokenSigner;
  readonly registry: Pick<Registry, 'resourceServerById'>;
  readonly clock: Clock;
  readonly subjects: Subjects;
  readonly userClaims: UserClaims;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
  /** The issuer identifier of this server. */
  readonly issuer: string;
  /** Seconds. */
  readonly idTokenLifetime: number;
  /** Whether ID tokens of every client have the claims of the scopes, also where the client gets them from the userinfo endpoint. */
  readonly claimsInIdToken: boolean;
}

/** The login that an ID token reports to a client. */
export interface IdTokenContent {
  readonly client: Client;
  readonly grant: Grant;
  /** The granted scopes that the client still has. */
  readonly scopes: Scopes;
  /** Of the authorization request. An ID token of a refresh has none (OpenID Connect Core §12.2). */
  readonly nonce?: string | undefined;
  /** The access token that is issued together with it, for `at_hash`; absent if there is none. */
  readonly accessToken?: string | undefined;
  /** The code that is issued together with it, for `c_hash`; absent if there is none. */
  readonly code?: string | undefined;
}

/**
 * Signs an ID token (OpenID Connect Core §2) and stores nothing. `undefined` if `openid` is not among the granted scopes.
 *
 * @throws RedirectableError `server_error` if the server does not sign with the algorithm of the client
 * @throws StoreUnavailableError or an error of the key management if no key can sign
 */
export type IdTokenIssuer = (content: IdTokenContent) => Promise<string> | undefined;

export function idTokenIssuer(deps: IdTokenDependencies): IdTokenIssuer {
  return (content) => {
    const { client, scopes } = content;
    // The common case of a client that logs nobody in, which is answered without any other work.
    if (!scopes.includes('openid')) return undefined;
    const resourceServer = deps.registry.resourceServerById(client.resourceServerId) ?? { scopes: [] };
    const { openid } = splitScopes(scopes, resourceServer);
    if (!openid.includes('openid')) return undefined;
    const algorithm = signingAlgorithm(client.idTokenSignedResponseAlg, client, deps.signer);
    return deps.signer.sign(idTokenClaims(content, openid, algorithm, deps), { algorithm, type: 'JWT' });
  };
}

/**
 * The algorithm of a client's registration, or the default of the server.
 *
 * @param registered `''` for the default
 * @throws RedirectableError `server_error` if the server no longer signs with it
 */
export function signingAlgorithm(
  registered: SigningAlgorithm | '',
  { clientId }: Pick<Client, 'clientId'>,
  { algorithms }: Pick<TokenSigner, 'algorithms'>,
): SigningAlgorithm {
  const algorithm = registered === '' ? algorithms[0] : registered;
  if (algorithm !== undefined && algorithms.includes(algorithm)) return algorithm;
  throw new RedirectableError(
    'server_error',
    because('signing_algorithm', { clientId, algorithm, algorithms }),
  );
}

function idTokenClaims(
  { client, grant, nonce, accessToken, code }: IdTokenContent,
  openid: Scopes,
  algorithm: SigningAlgorithm,
  deps: IdTokenDependencies,
): JwtClaims {
  const { owner, authentication, claims } = grant;
  const { authenticatedAt, acr, amr, sessionId } = authentication;
  const now = Math.floor(deps.clock.now() / 1000);
  // OpenID Connect Core §5.4: a client that gets no access token, also not for a code, cannot ask the userinfo endpoint.
  const isAlone = accessToken === undefined && code === undefined;
  const hasScopeClaims = isAlone || client.claimsInIdToken || deps.claimsInIdToken;
  return {
    ...deps.userClaims.forClient(grant, {
      client,
      granted: hasScopeClaims ? openid : [],
      requested: claims?.id_token,
    }),
    iss: deps.issuer,
    sub: deps.subjects.subjectFor(client, owner),
    aud: client.clientId,
    iat: now,
    exp: now + deps.idTokenLifetime,
    auth_time: Math.floor(authenticatedAt / 1000),
    ...(nonce !== undefined && { nonce }),
    ...(acr !== undefined && { acr }),
    ...(amr !== undefined && { amr }),
    sid: sessionIdFor(deps.subjectSecret, client, sessionId),
    ...(accessToken !== undefined && { at_hash: halfHash(accessToken, algorithm) }),
    ...(code !== undefined && { c_hash: halfHash(code, algorithm) }),
  };
}

// The hash function of each signature (RFC 7518 §3.1). Ed25519 has SHA-512 (RFC 8032 §5.1).
const hashes = { RS256: 'sha256', ES256: 'sha256', PS256: 'sha256', EdDSA: 'sha512' } as const;

/** `at_hash` and `c_hash`: the left half of the hash of an access token or a code (OpenID Connect Core §3.3.2.11), in base64url. */
function halfHash(value: string, algorithm: SigningAlgorithm): string {
  const digest = hash(hashes[algorithm], value, 'buffer');
  return digest.subarray(0, digest.length / 2).toString('base64url');
}
