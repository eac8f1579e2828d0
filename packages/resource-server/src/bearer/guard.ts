import {
  AccessError,
  InsufficientPrivileges,
  RequestMalformed,
  TokenMissing,
  TokenRejected,
} from '../errors.ts';
import { refused } from '../events.ts';
import type { TokenInfo } from '../token-info.ts';
import { readBearer } from '../token-syntax.ts';
import type { TokenVerifier } from '../verifier/token-verifier.ts';
import { type AccessRules, holds, leastOf, type RuleKinds, readRules } from './access-rules.ts';
import { loginProblem } from './login.ts';
import { remembering } from './realm.ts';

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

/**
 * What all middleware has in common (RFC 6750), for servers that have none here. Only the header is read: a token in a
 * query or a form would end up in logs (RFC 9700 §4.3.2).
 * It resolves with `undefined` for a request without a token where the rules have `optional: true`.
 * @throws ConfigurationError for rules that are none
 */
export function createGuard(verifier: Pick<TokenVerifier, 'verify'>, rules?: AccessRules & Obligatory): Guard;
export function createGuard(
  verifier: Pick<TokenVerifier, 'verify'>,
  rules: AccessRules,
): Guard<TokenInfo | undefined>;
export function createGuard(
  verifier: Pick<TokenVerifier, 'verify'>,
  rules: AccessRules = {},
): Guard<TokenInfo | undefined> {
  return guardWith(verifier, rules, {});
}

/** @param more rules that are not the guard's but may stand among them */
export function guardWith(
  verifier: Pick<TokenVerifier, 'verify'>,
  rules: AccessRules,
  more: RuleKinds,
): Guard<TokenInfo | undefined> {
  if (typeof verifier?.verify !== 'function') {
    throw new TypeError('Expected a token verifier; make one with createTokenVerifier()');
  }
  const { scopes, roles, groups, login, optional, realm } = readRules(rules, more);
  const challenge = { realm, scope: leastOf(scopes) };
  const withRealm = realm === undefined ? undefined : remembering(realm);

  return async (authorization) => {
    try {
      const tokenInfo = await verify(authorization ?? []);
      return tokenInfo && admit(tokenInfo);
    } catch (error) {
      throw error instanceof AccessError ? refused(error) : error;
    }
  };

  /** @throws InsufficientPrivileges, TokenRejected, InsufficientAuthentication, AuthorizationServerUnavailable */
  function admit(tokenInfo: TokenInfo): TokenInfo {
    // Accepted without the proof, a stolen token would be of use (RFC 9449 §7.2, RFC 8705 §3).
    if (tokenInfo.cnf !== undefined) throw new TokenRejected('bound', challenge);
    if (!holds(tokenInfo.scopes, scopes)) throw new InsufficientPrivileges(challenge);
    const { principal } = tokenInfo;
    if (!holds(principal.roles, roles) || !holds(principal.groups, groups)) {
      throw new InsufficientPrivileges({ realm });
    }
    const problem = loginProblem(tokenInfo, login, challenge);
    if (problem !== undefined) throw problem;
    return withRealm === undefined ? tokenInfo : withRealm(tokenInfo);
  }

  /** `undefined` for nobody. */
  async function verify(authorization: string | readonly string[]): Promise<TokenInfo | undefined> {
    const [first, ...others] = typeof authorization === 'string' ? [authorization] : authorization;
    const bearer = others.length > 0 ? 'malformed' : first === undefined ? 'missing' : readBearer(first);
    if (bearer === 'missing') {
      if (optional) return undefined;
      throw new TokenMissing(challenge);
    }
    if (bearer === 'malformed') throw new RequestMalformed(challenge);
    try {
      return await verifier.verify(bearer.token);
    } catch (error) {
      // The verifier knows neither realm nor scope.
      throw error instanceof TokenRejected ? new TokenRejected(error.reason, challenge) : error;
    }
  }
}
