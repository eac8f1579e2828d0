import {
  AccessError,
  type Challenge,
  InsufficientPrivileges,
  RequestMalformed,
  TokenMissing,
  TokenRejected,
} from '../errors.ts';
import { refused } from '../events.ts';
import type { Asked } from '../possession/asked.ts';
import { documentedAt, type ProtectedResource } from '../resource/protected-resource.ts';
import type { TokenInfo } from '../token-info.ts';
import { type PresentedToken, readAuthorization } from '../token-syntax.ts';
import type { TokenVerifier } from '../verifier/token-verifier.ts';
import { type AccessRules, holds, leastOf, type RuleKinds, readRules } from './access-rules.ts';
import { type ChallengeOf, challenger } from './challenges.ts';
import { loginProblem } from './login.ts';
import { rememberer, withoutScope } from './remembered.ts';

/** What a guard reads of a request to check a proof of possession; a `Request` is one. */
export interface GuardedRequest {
  readonly method: string;
  /** Where it was sent; the path is enough where the option `publicUrl` or `resource` says the rest. */
  readonly url: string;
  /** By names in lower case. */
  readonly headers: { get(name: string): string | null } | HeadersByName;
  /** Of a request of `node:http`: where it came from, for the option `clientCertificate`. */
  readonly socket?: { readonly remoteAddress?: string | undefined };
}

interface HeadersByName {
  readonly [name: string]: string | readonly string[] | undefined;
}

/**
 * Lets a request in or not.
 * @param authorization the `Authorization` header, or every one where there may be several
 * @param request the same object for each guard of a request; without it, tokens that are bound to a key are refused
 * @throws AccessError whose `status`, `headers` and `body` are the answer
 */
export type Guard<Admitted = TokenInfo> = (
  authorization: string | readonly string[] | null | undefined,
  request?: GuardedRequest,
) => Promise<Admitted>;

/** What gives access to nobody: rules without `optional: true`. */
export interface Obligatory {
  readonly optional?: false;
}

/** What guards use of a verifier. One without `resources` has no metadata, and one without `possession` accepts no token that is bound to a key. */
export type Verifying = Pick<TokenVerifier, 'verify'> &
  Partial<Pick<TokenVerifier, 'resources' | 'possession'>>;

/**
 * What all middleware has in common (RFC 6750), for servers that have none here. Only the header is read: a token in a
 * query or a form would end up in logs (RFC 9700 §4.3.2).
 * It resolves with `undefined` for a request without a token where the rules have `optional: true`.
 * @throws ConfigurationError for rules that are none
 */
export function createGuard(verifier: Verifying, rules?: AccessRules & Obligatory): Guard;
export function createGuard(verifier: Verifying, rules: AccessRules): Guard<TokenInfo | undefined>;
export function createGuard(verifier: Verifying, rules: AccessRules = {}): Guard<TokenInfo | undefined> {
  const { guard } = protection(verifier, rules, {});
  return (authorization, request) => guard(authorization ?? [], request && askedOf(request));
}

function askedOf(request: GuardedRequest): Asked {
  const { method, url, headers, socket } = request;
  return {
    method,
    url: () => url,
    header: (name) =>
      typeof headers.get === 'function' ? headers.get(name) : (headers as HeadersByName)[name],
    peer: socket?.remoteAddress,
    request,
  };
}

/** An answer that gives no access, and needs none. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

export interface Protection {
  /** @throws AccessError */
  guard(authorization: string | readonly string[], asked?: Asked): Promise<TokenInfo | undefined>;
  /** The answer to a request for the metadata of this API (RFC 9728 §3.2), which clients read before they have a token. */
  metadata(method: string | undefined, url: () => string): OpenAnswer | undefined;
}

/** @param more rules that are not the guard's but may stand among them */
export function protection(verifier: Verifying, rules: AccessRules, more: RuleKinds): Protection {
  if (typeof verifier?.verify !== 'function') {
    throw new TypeError('Expected a token verifier; make one with createTokenVerifier()');
  }
  const { resources = [], possession } = verifier;
  const { scopes, roles, groups, login, optional, realm } = readRules(rules, more);
  const scope = leastOf(scopes);
  const challengesFor = challenger({ realm, scope }, { resources, possession });
  const remember = rememberer();

  return {
    async guard(authorization, asked) {
      const challengeOf = challengesFor(asked);
      try {
        const presented = tokenIn(authorization, optional, challengeOf);
        return presented === undefined ? undefined : await enter(presented, asked, challengeOf);
      } catch (error) {
        throw error instanceof AccessError ? refused(error) : error;
      }
    },
    metadata(method, url) {
      if (resources.length === 0 || (method !== 'GET' && method !== 'HEAD')) return undefined;
      const resource = documentedAt(resources, url());
      return resource && documentOf(resource, scope);
    },
  };

  async function enter(
    presented: PresentedToken,
    asked: Asked | undefined,
    challengeOf: ChallengeOf,
  ): Promise<TokenInfo> {
    const challenge = challengeOf(presented.scheme);
    const info = await verify(presented.token, challenge);
    // Accepted without the proof, a stolen token would be of use (RFC 9449 §7.2, RFC 8705 §3).
    if (info.cnf === undefined && presented.scheme === 'Bearer') return admit(info, challenge);
    const needed = challengeOf(info.cnf?.jkt === undefined ? 'Bearer' : 'DPoP');
    if (possession === undefined) throw new TokenRejected('bound', needed);
    await possession.prove(info, presented, asked, needed);
    return admit(info, needed);
  }

  /** @throws TokenRejected, AuthorizationServerUnavailable */
  async function verify(token: string, challenge: Challenge): Promise<TokenInfo> {
    try {
      return await verifier.verify(token);
    } catch (error) {
      // The verifier knows neither realm nor scope.
      throw error instanceof TokenRejected ? new TokenRejected(error.reason, challenge) : error;
    }
  }

  /** @throws InsufficientPrivileges, TokenRejected, InsufficientAuthentication, AuthorizationServerUnavailable */
  function admit(tokenInfo: TokenInfo, challenge: Challenge): TokenInfo {
    if (!holds(tokenInfo.scopes, scopes)) throw new InsufficientPrivileges(challenge);
    const { principal } = tokenInfo;
    if (!holds(principal.roles, roles) || !holds(principal.groups, groups)) {
      throw new InsufficientPrivileges(withoutScope(challenge));
    }
    const problem = loginProblem(tokenInfo, login, challenge);
    if (problem !== undefined) throw problem;
    return remember(tokenInfo, challenge);
  }
}

/** `undefined` for nobody, where that is allowed. @throws TokenMissing, RequestMalformed */
function tokenIn(
  authorization: string | readonly string[],
  isOptional: boolean,
  challengeOf: ChallengeOf,
): PresentedToken | undefined {
  const [first, ...others] = typeof authorization === 'string' ? [authorization] : authorization;
  const found = others.length > 0 ? 'malformed' : first === undefined ? 'missing' : readAuthorization(first);
  if (found === 'malformed') throw new RequestMalformed(challengeOf('any'));
  if (found !== 'missing') return found;
  if (isOptional) return undefined;
  throw new TokenMissing(challengeOf('any'));
}

function documentOf({ metadata }: ProtectedResource, scope: readonly string[]): OpenAnswer {
  const { scopes_supported = scope.length > 0 ? scope : undefined } = metadata;
  return {
    status: 200,
    headers: { 'cache-control': 'public, max-age=300' },
    body: JSON.stringify({ ...metadata, scopes_supported }),
  };
}
