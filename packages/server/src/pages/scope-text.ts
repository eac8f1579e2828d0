import type { ScopeDescription } from '@watchword/protocol';
import { fallbackLanguage } from './locales.ts';
import { languageLookup } from './negotiate.ts';

/** The description of a scope for a page. */
export interface ScopeText {
  /** `''` when there is none. */
  readonly text: string;
  /** The language of the text, where it is known to be another than that of the page; else `''`. */
  readonly language: string;
}

/** The text in the language of the page, or else the one for all languages, the English one, or any. */
export function scopeText({ description, descriptions = {} }: ScopeDescription, language: string): ScopeText {
  const tags = Object.keys(descriptions);
  const own = languageLookup(tags, '')(language);
  if (own !== '') return { text: descriptions[own] ?? '', language: '' };
  if (description !== undefined) return { text: description, language: '' };
  const other = tags.includes(fallbackLanguage) ? fallbackLanguage : (tags[0] ?? '');
  return { text: descriptions[other] ?? '', language: other };
}
