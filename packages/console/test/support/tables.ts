import { readFileSync } from 'node:fs';
import { setTexts } from '../../src/texts/texts.ts';

export const languages = ['en', 'nl', 'de'] as const;

/** The built-in texts of the GUI in a language. */
export function tableOf(language: (typeof languages)[number]): Readonly<Record<string, string>> {
  const file = new URL(`../../../server/locales/console/${language}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Modules show texts in this language from now on, as in a page. */
export function speak(language: (typeof languages)[number]): void {
  setTexts({ language, direction: 'ltr', table: tableOf(language) });
}
