import { readFileSync } from 'node:fs';

const languages = ['en', 'nl', 'de'];

/** The texts of the module's pages, by language. */
export function moduleTexts(): Record<string, Record<string, string>> {
  return Object.fromEntries(
    languages.map((language) => [
      language,
      JSON.parse(readFileSync(new URL(`../locales/${language}.json`, import.meta.url), 'utf8')),
    ]),
  );
}
