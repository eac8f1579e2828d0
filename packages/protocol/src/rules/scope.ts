import { RedirectableError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import type { Identity } from '../model/resource-owner.ts';
import { isScopeToken, type Scopes } from '../model/scope.ts';

const maxScopeTokens = 100;

export interface ScopeSyntax {
  /** Whether `read,write` means two scopes, as some older clients write it. The RFC's form is a space. */
  readonly commaSeparated: boolean;
}

/**
 * Parses the `scope` parameter (RFC 6749 §3.3). Clients put scopes together from parts, so that several spaces can stand
 * between them, and white space at the ends.
 *
 * @throws RedirectableError `invalid_scope` when it breaks the grammar
 */
export function parseScope(value: string, syntax: ScopeSyntax): Scopes {
  const separator = syntax.commaSeparated ? /[ ,]+/ : / +/;
  const tokens = value.trim().split(separator, maxScopeTokens + 1);
  if (tokens.length > maxScopeTokens) {
    throw new RedirectableError('invalid_scope', because('scope_syntax', { most: maxScopeTokens }));
  }
  if (!tokens.every(isScopeToken)) {
    throw new RedirectableError('invalid_scope', because('scope_syntax', { scope: value }));
  }
  return [...new Set(tokens)];
}

/**
 * Decides which scopes are granted: the requested ones, or all available ones when the request has no scope.
 *
 * @param account the resource owner, for the log
 * @throws RedirectableError `invalid_scope` when a requested scope is not available (RFC 6749 §5.2)
 */
export function grantScopes(requested: Scopes | undefined, available: Scopes, account?: Identity): Scopes {
  if (requested === undefined) return available;
  const missing = requested.find((scope) => !available.includes(scope));
  if (missing !== undefined) {
    const why = because('available_scope', { missing, available });
    throw new RedirectableError('invalid_scope', { ...why, account });
  }
  return requested;
}

/** The members of `scopes` that are still available; the same array when all are. */
export function remainingScopes(scopes: Scopes, available: Scopes): Scopes {
  return scopes.every((scope) => available.includes(scope))
    ? scopes
    : scopes.filter((scope) => available.includes(scope));
}
