import type { PageTexts } from '@watchword/administration';
import type { Pages } from './pages.ts';
import { pageStates } from './states/states.ts';
import { type Texts, withoutMarks } from './texts/texts.ts';

/** The settings that come before what administrators set. */
const stronger = ['productName', 'logo', 'stylesheet', 'locales', 'templates'].map((name) => `pages.${name}`);

/**
 * What the administration knows of the pages.
 *
 * @param given the settings that the configuration has
 */
export function pageTextsOf(
  pages: () => Pick<Pages, 'languages' | 'unbranded' | 'texts'>,
  given: () => readonly string[],
): PageTexts {
  return {
    languages: () => pages().languages(),
    texts(language) {
      const texts = pages().unbranded(language);
      return Object.fromEntries(texts.keys().map((key) => [key, texts.raw(key)]));
    },
    states: (language) => shownStates(pages().texts(language)),
    settings: () => given().filter((name) => stronger.includes(name)),
  };
}

/** All pages in all states, with labels in a language. */
export function shownStates(texts: Texts): readonly { readonly name: string; readonly label: string }[] {
  return pageStates.map(({ name, label }) => ({
    name,
    label: label
      .map((text) => (typeof text === 'string' ? text : texts.plain(text.key, text.values)))
      .map((text) => withoutMarks(text).replaceAll(/[\u2068\u2069]/g, ''))
      .join(' · '),
  }));
}
