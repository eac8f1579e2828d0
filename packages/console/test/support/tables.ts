import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
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

/** Sentences of the English table that the page shows in another language, in which they are different. */
export async function sentencesInEnglish(
  page: Page,
  language: (typeof languages)[number],
): Promise<readonly string[]> {
  const table = tableOf(language);
  const shown = (await page.locator('body').innerText()).replaceAll(/\s+/g, ' ');
  return Object.entries(tableOf('en'))
    .filter(([key, text]) => text.length > 20 && !text.includes('{') && table[key] !== text)
    .map(([, text]) => text)
    .filter((text) => shown.includes(text));
}
