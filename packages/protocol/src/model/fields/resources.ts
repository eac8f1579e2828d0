import { inQuotes } from '../hidden-characters.ts';
import { comparedResourceUri, resourceUriProblem } from '../resource-uri.ts';
import type { TextsKind } from './kind.ts';
import { maxTextLength } from './problems.ts';

export const resourcesKind = {
  type: 'texts',
  maxItems: 20,
  maxLength: maxTextLength,
} as const satisfies TextsKind;

export function* resourceProblems(uris: readonly string[]): Iterable<string> {
  const { maxItems } = resourcesKind;
  if (uris.length > maxItems) yield `are more than ${maxItems}`;
  const seen = new Map<string, string>();
  for (const uri of uris) {
    const shown = inQuotes(uri.slice(0, 80));
    const problem = resourceUriProblem(uri);
    if (problem !== undefined) yield `${shown} ${problem}`;
    const compared = comparedResourceUri(uri) ?? '';
    const same = problem === undefined ? seen.get(compared) : undefined;
    if (same !== undefined) yield `${shown} is the same URI as ${inQuotes(same.slice(0, 80))}`;
    seen.set(compared, uri);
  }
}
