import type { DescribedScope } from '@watchword/admin-client';
import { language as pageLanguage } from '../texts/texts.ts';

/** What a scope means, in the language of these pages if there is such a text; `undefined` without any text. */
export function scopeText(
  scopes: readonly DescribedScope[],
  scope: string,
  language: string = pageLanguage(),
): string | undefined {
  const { description, descriptions = {} } = scopes.find(({ name }) => name === scope) ?? {};
  const [primary = ''] = language.split('-');
  return (
    descriptions[language] ??
    descriptions[primary] ??
    description ??
    descriptions.en ??
    Object.values(descriptions)[0]
  );
}
