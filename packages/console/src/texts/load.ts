import { setTexts, type Texts } from './texts.ts';

/**
 * Loads the texts in the language of the page.
 *
 * @param address where the server has them
 */
export async function loadTexts(address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the server answered ${response.status} to the request for the texts`);
  const table: Texts['table'] = await response.json();
  const { lang, dir } = document.documentElement;
  setTexts({ language: lang, direction: dir, table });
}
