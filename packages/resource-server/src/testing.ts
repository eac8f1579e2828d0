import { sha256 } from '@watchword/proofs';
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { SignJWT } from 'jose/jwt/sign';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import { type Facts, findingsOf } from './check/check.ts';
import { demandWhole } from './check/finding.ts';
import {
  AuthorizationServerUnavailable,
  TokenRejected,
  type TokenRejection,
  type Unavailability,
} from './errors.ts';
import { readOptions } from './options/options.ts';
import type { TokenVerifierOptions } from './options/token-verifier-options.ts';
import { closing } from './platform/closing.ts';
import { system } from './platform/system.ts';
import { possessionOf } from './possession/possession.ts';
import { protectedResources } from './resource/protected-resource.ts';
import { isExpired, type Principal, type TokenInfo } from './token-info.ts';
import { isTokenSyntax } from './token-syntax.ts';
import type { TokenVerifier } from './verifier/token-verifier.ts';

/** What a test says of a token; the rest has defaults. */
export interface TokenInfoParts extends Partial<Omit<TokenInfo, 'principal'>> {
  readonly principal?: Partial<Principal>;
}

/** Token info as the real verifier gives it, frozen: no scopes, user `test-user`, never expires, unless stated otherwise. */
export function buildTokenInfo({ principal = {}, ...parts }: TokenInfoParts = {}): TokenInfo {
  const { audience = 'Test client', scopes = [], expires_in = 0, aud, cnf, auth_time, acr, claims } = parts;
  const { name = 'test-user', roles = [], groups = [], adminPrincipal = false, attributes = {} } = principal;
  return Object.freeze({
    audience,
    scopes: Object.freeze([...scopes]),
    principal: Object.freeze({
      name,
      roles: Object.freeze([...roles]),
      groups: Object.freeze([...groups]),
      adminPrincipal,
      attributes: Object.freeze({ ...attributes }),
    }),
    expires_in,
    ...(aud && { aud: Object.freeze([...aud]) }),
    ...(cnf && { cnf: Object.freeze({ ...cnf }) }),
    ...(auth_time !== undefined && { auth_time }),
    ...(acr !== undefined && { acr }),
    ...(claims && { claims: Object.freeze({ ...claims }) }),
  });
}

/** A verifier without an authorization server, for tests of an API. It knows the tokens that it issued itself. */
export interface FakeVerifier extends TokenVerifier {
  /** A new token that is accepted from now on. */
  issue(token?: TokenInfoParts): string;
  /** Rejects a token from now on. */
  reject(token: string, reason?: TokenRejection): void;
  /** From now on every call fails as if the authorization server were away, until {@link recover}. */
  fail(reason?: Unavailability): void;
  recover(): void;
}

export type FakeVerifierOptions = Pick<
  TokenVerifierOptions,
  'resource' | 'resourceMetadata' | 'publicUrl' | 'dpop' | 'clientCertificate'
>;

/** @param options those of the metadata that `protect` serves, and of proofs */
export function fakeVerifier(options: FakeVerifierOptions = {}): FakeVerifier {
  const settings = readOptions({
    url: issuer,
    key: 'test-api',
    secret: 'test-secret',
    ...options,
  });
  const known = new Map<string, TokenInfo | TokenRejection>();
  let failure: Unavailability | undefined;
  const possession = possessionOf(settings, {
    now: () => Date.now(),
    warn: (_kind, message) => system.warn(message),
  });
  return {
    resources: protectedResources(settings, possession),
    possession,
    issue(token) {
      const text = `test-token-${Math.random().toString(36).slice(2)}-${known.size}`;
      known.set(text, buildTokenInfo(token));
      return text;
    },
    reject(token, reason = 'unknown') {
      known.set(token, reason);
    },
    fail(reason = 'unreachable') {
      failure = reason;
    },
    recover() {
      failure = undefined;
    },
    async verify(token) {
      if (!isTokenSyntax(token)) throw new TokenRejected('malformed');
      if (failure !== undefined) throw new AuthorizationServerUnavailable(failure);
      const found = known.get(token) ?? 'unknown';
      if (typeof found === 'string') throw new TokenRejected(found);
      if (isExpired(found, Date.now())) throw new TokenRejected('expired');
      return found;
    },
    async invalidate() {},
    async check() {
      return demandWhole(findingsOf(fakeFacts(failure, settings.publicUrl)));
    },
    close() {},
    ...closing(() => {}),
  };
}

/** A client with a key of its own, for tests of an API with tokens that are bound to it. */
export interface DpopClient {
  /** For tokens of this client: `verifier.issue({ cnf: client.cnf })`. */
  readonly cnf: { readonly jkt: string };
  /** The headers of a request, with a new proof. */
  headers(request: DpopRequest): Promise<{ authorization: string; dpop: string }>;
}

export interface DpopRequest {
  /** Default GET. */
  readonly method?: string;
  readonly url: string;
  readonly token: string;
  /** Of the header `DPoP-Nonce` of an answer. */
  readonly nonce?: string;
}

export async function dpopClient(): Promise<DpopClient> {
  const alg = 'ES256';
  const { publicKey, privateKey } = await generateKeyPair(alg);
  const jwk = await exportJWK(publicKey);
  return {
    cnf: { jkt: await calculateJwkThumbprint(jwk) },
    async headers({ method = 'GET', url, token, nonce }) {
      const claims = { htm: method, htu: url.replace(/[?#].*/, ''), ath: await sha256(token), nonce };
      const proof = new SignJWT(claims)
        .setProtectedHeader({ typ: 'dpop+jwt', alg, jwk })
        .setJti(`${Math.random()}${Math.random()}`)
        .setIssuedAt();
      return { authorization: `DPoP ${token}`, dpop: await proof.sign(privateKey) };
    },
  };
}

const issuer = 'https://id.test.example';

function fakeFacts(reason: Unavailability | undefined, publicUrl: readonly string[]): Facts {
  return {
    asked: issuer,
    failure: reason && new AuthorizationServerUnavailable(reason),
    areCredentialsGood: reason === undefined,
    issuer,
    clock: { least: 0, most: 0 },
    clockTolerance: 0,
    expectsTypes: false,
    hasTypes: false,
    tokens: 'lookups',
    listAsked: issuer,
    publicUrl,
  };
}
