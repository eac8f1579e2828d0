import {
  AccessError,
  type Challenge,
  InsufficientPrivileges,
  RequestMalformed,
  TokenMissing,
  TokenRejected,
} from '../errors.ts';
import { refused } from '../events.ts';
import { documentedAt, type ProtectedResource, resourceAt } from '../resource/protected-resource.ts';
import type { TokenInfo } from '../token-info.ts';
import { readBearer } from '../token-syntax.ts';
import type { TokenVerifier } from '../verifier/token-verifier.ts';
import { type AccessRules, holds, leastOf, type RuleKinds, readRules } from './access-rules.ts';
import { loginProblem } from './login.ts';
import { joined, rememberer, requiredBefore, withoutScope } from './remembered.ts';

/**
 * Lets a request in or not.
 * @param authorization the `Authorization` header, or every one where there may be several
 * @throws AccessError whose `status`, `headers` and `body` are the answer
 */
export type Guard<Admitted = TokenInfo> = (
  authorization: string | readonly string[] | null | undefined,
) => Promise<Admitted>;

/** What gives access to nobody: rules without `optional: true`. */
export interface Obligatory {
  readonly optional?: false;
}

/** What guards use of a verifier. One without `resources` has no metadata. */
export type Verifying = Pick<TokenVerifier, 'verify'> & Partial<Pick<TokenVerifier, 'resources'>>;

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
  return (authorization) => guard(authorization ?? []);
}

/** What is known of a request beside its header. */
export interface Asked {
  /** Where it was sent: a whole URL. */
  readonly url: () => string;
  /** Of a guard before. */
  readonly tokenInfo?: TokenInfo | undefined;
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
  const { resources = [] } = verifier;
  const { scopes, roles, groups, login, optional, realm } = readRules(rules, more);
  const scope = leastOf(scopes);
  const challenges = new Map(
    [undefined, ...resources].map((resource) => [
      resource,
      { realm, scope, resourceMetadata: resource?.metadataUrl },
    ]),
  );
  const remember = rememberer();

  return {
    async guard(authorization, asked) {
      const challenge = challengeFor(asked);
      try {
        const token = tokenIn(authorization, optional, challenge);
        return token === undefined ? undefined : admit(await verify(token, challenge), challenge);
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

  function challengeFor(asked: Asked | undefined): Challenge {
    const resource = resources.length > 1 && asked ? resourceAt(resources, asked.url()) : resources[0];
    const challenge = challenges.get(resource) as Challenge;
    return asked?.tokenInfo === undefined ? challenge : joined(requiredBefore(asked.tokenInfo), challenge);
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
    // Accepted without the proof, a stolen token would be of use (RFC 9449 §7.2, RFC 8705 §3).
    if (tokenInfo.cnf !== undefined) throw new TokenRejected('bound', challenge);
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
  challenge: Challenge,
): string | undefined {
  const [first, ...others] = typeof authorization === 'string' ? [authorization] : authorization;
  const bearer = others.length > 0 ? 'malformed' : first === undefined ? 'missing' : readBearer(first);
  if (bearer === 'malformed') throw new RequestMalformed(challenge);
  if (bearer !== 'missing') return bearer.token;
  if (isOptional) return undefined;
  throw new TokenMissing(challenge);
}

function documentOf({ metadata }: ProtectedResource, scope: readonly string[]): OpenAnswer {
  const { scopes_supported = scope.length > 0 ? scope : undefined } = metadata;
  return {
    status: 200,
    headers: { 'cache-control': 'public, max-age=300' },
    body: JSON.stringify({ ...metadata, scopes_supported }),
  };
}
