import { shown } from '../hidden-characters.ts';
import { isOpenidScope } from '../openid-scope.ts';
import { isScopeToken, type Scopes } from '../scope.ts';
import type { ScopesKind } from './kind.ts';
import { type CheckContext, maxNameLength } from './problems.ts';

export const scopesKind = {
  type: 'scopes',
  maxItems: 100,
  maxLength: maxNameLength,
} as const satisfies ScopesKind;

export function* scopeProblems(
  scopes: Scopes,
  { before = [], isCommaSeparator }: CheckContext<Scopes>,
): Iterable<string> {
  const { maxItems, maxLength } = scopesKind;
  if (scopes.length > maxItems) yield `are more than ${maxItems}`;
  for (const scope of scopes) {
    if (!isScopeToken(scope) || scope.length > maxLength) {
      yield `${shownScope(scope)} is not a scope token (RFC 6749 section 3.3), which has no space, quote or backslash`;
    }
    if (isCommaSeparator && scope.includes(',') && !before.includes(scope)) {
      yield `${shownScope(scope)} has a comma, by which requests to this server separate scopes (setting scope.commaSeparated)`;
    }
  }
}

/** Of the scopes of a resource server: the names of OpenID Connect are for the server itself. One that exists is kept. */
export function* ownScopeProblems(scopes: Scopes, context: CheckContext<Scopes>): Iterable<string> {
  yield* scopeProblems(scopes, context);
  const { before = [] } = context;
  for (const scope of scopes.filter((scope) => isOpenidScope(scope) && !before.includes(scope))) {
    yield `${shownScope(scope)} is a scope of OpenID Connect, which belongs to this server; choose another name`;
  }
}

/** A scope in a message. */
export function shownScope(scope: string): string {
  return shown(scope, 40);
}
