import { inQuotes } from '../hidden-characters.ts';
import { redirectUriProblem } from '../redirect-uri.ts';
import type { TextsKind } from './kind.ts';
import { maxTextLength } from './problems.ts';

export const redirectUrisKind = {
  type: 'texts',
  maxItems: 100,
  maxLength: maxTextLength,
} as const satisfies TextsKind;

export function* redirectUriProblems(uris: readonly string[]): Iterable<string> {
  const { maxItems } = redirectUrisKind;
  if (uris.length > maxItems) yield `are more than ${maxItems}`;
  for (const uri of uris) {
    const problem = redirectUriProblem(uri);
    if (problem !== undefined) yield `${inQuotes(uri.slice(0, 80))} ${problem}`;
  }
}
