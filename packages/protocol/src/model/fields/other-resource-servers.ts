import type { ResourceServerScopes } from '../resource-server-scopes.ts';
import type { ResourceServerScopesKind } from './kind.ts';
import { type CheckContext, maxNameLength } from './problems.ts';
import { scopeProblems } from './scopes.ts';

export const otherResourceServersKind = {
  type: 'resourceServerScopes',
  maxItems: 50,
  maxScopes: 100,
  maxLength: maxNameLength,
} as const satisfies ResourceServerScopesKind;

export function* otherResourceServerProblems(
  entries: readonly ResourceServerScopes[],
  { before = [], isCommaSeparator }: CheckContext<readonly ResourceServerScopes[]>,
): Iterable<string> {
  const { maxItems } = otherResourceServersKind;
  if (entries.length > maxItems) yield `are more than ${maxItems}`;
  const seen = new Set<number>();
  for (const { resourceServerId: id, scopes } of entries) {
    if (seen.has(id)) yield `name the resource server ${id} twice`;
    seen.add(id);
    const stored = before.find(({ resourceServerId }) => resourceServerId === id);
    for (const problem of scopeProblems(scopes, { before: stored?.scopes, isCommaSeparator })) {
      yield `scopes of the resource server ${id} ${problem}`;
    }
  }
}

/** Each resource server in the order of ids, with each scope once: the list is a set. */
export function orderedEntries(entries: readonly ResourceServerScopes[]): readonly ResourceServerScopes[] {
  return entries
    .map(({ resourceServerId, scopes }) => ({ resourceServerId, scopes: [...new Set(scopes)] }))
    .toSorted((a, b) => a.resourceServerId - b.resourceServerId);
}
