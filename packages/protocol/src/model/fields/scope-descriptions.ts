import { withHidden } from '../hidden-characters.ts';
import { canonicalLanguage, type ScopeDescription } from '../scope-description.ts';
import type { ScopeDescriptionsKind } from './kind.ts';
import { type CheckContext, isInvisible, textProblems } from './problems.ts';
import { scopesKind, shownScope } from './scopes.ts';

type Descriptions = readonly ScopeDescription[];

export const scopeDescriptionsKind = {
  type: 'scopeDescriptions',
  maxItems: scopesKind.maxItems,
  /** Of each text: a page has one line for a scope. */
  maxLength: 300,
  /** Of each scope. */
  maxLanguages: 50,
} as const satisfies ScopeDescriptionsKind;

/** All texts of a resource server together, in UTF-8. Every node keeps them in memory. */
export const maxDescriptionBytes = 32_768;

const maxTagLength = 35;

export function* scopeDescriptionProblems(
  scopes: Descriptions,
  { before = [] }: CheckContext<Descriptions>,
): Iterable<string> {
  for (const { name, description = '', descriptions = {} } of scopes) {
    const languages = Object.entries(descriptions);
    if (languages.length > scopeDescriptionsKind.maxLanguages) {
      yield `${shownScope(name)} has descriptions in more than ${scopeDescriptionsKind.maxLanguages} languages`;
    }
    for (const [tag] of languages) {
      if (tag.length > maxTagLength || canonicalLanguage(tag) === undefined) {
        yield `${shownScope(name)} has a description in ${shownScope(tag)}, which is not a language tag such as nl or pt-BR (BCP 47)`;
      }
    }
    for (const text of [description, ...Object.values(descriptions)]) {
      for (const problem of lineProblems(text)) {
        yield withHidden(`${shownScope(name)} has a description that ${problem}`, text);
      }
    }
  }
  const size = bytesOf(scopes);
  if (size > maxDescriptionBytes && size > bytesOf(before)) {
    yield `have descriptions of ${size} bytes together, more than ${maxDescriptionBytes}`;
  }
}

/** Of a text on one line. */
function* lineProblems(text: string): Iterable<string> {
  yield* textProblems(text, scopeDescriptionsKind.maxLength);
  if (/[\t\n\u2028\u2029]/.test(text)) yield 'holds a tab or a line break';
  // A page shows the description in place of the name of the scope.
  else if (text !== '' && isInvisible(text)) yield 'has no visible character';
}

function bytesOf(scopes: Descriptions): number {
  const texts = scopes.flatMap(({ description = '', descriptions = {} }) => [
    description,
    ...Object.entries(descriptions).flat(),
  ]);
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
