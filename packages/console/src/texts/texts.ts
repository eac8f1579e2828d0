import { fill, type Values } from './format.ts';
import type { TextKey, TextParameters } from './parameters.ts';

/** The texts of the page in its language, as the server sends them. */
export interface Texts {
  /** BCP 47. */
  readonly language: string;
  readonly direction: string;
  readonly table: Readonly<Record<string, string>>;
}

let texts: Texts = { language: 'en', direction: 'ltr', table: {} };

/** Must be called before the first text is shown. So no module reads a text while it is evaluated. */
export function setTexts(loaded: Texts): void {
  texts = loaded;
}

/** The language of the page, for `Intl`. */
export function language(): string {
  return texts.language;
}

/** The values that a text needs: none, or one object. */
export type ValuesOf<Parameters> = keyof Parameters extends never ? [] : [Parameters];

/** A text of the table with its values, as plain text. */
export function t<Key extends TextKey>(key: Key, ...values: ValuesOf<TextParameters[Key]>): string {
  const [given = {}] = values as readonly Values[];
  return fill(textOf(key), texts.direction === 'rtl' ? isolated(given) : given, texts.language);
}

/** The text as it is in the table, with its placeholders. A key without a text is shown itself. */
export function textOf(key: TextKey): string {
  return texts.table[key] ?? key;
}

/** Names in Latin script within a right-to-left text do not change the order of the words around them. */
function isolated(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? `\u2068${value}\u2069` : value,
    ]),
  );
}

/**
 * Loads the texts in the language of the page.
 *
 * @param address where the server has them
 */
export async function loadTexts(address: string): Promise<void> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the server answered ${response.status} to the request for the texts`);
  const json = await response.text();
  const table: Texts['table'] = JSON.parse(json);
  const { lang, dir } = document.documentElement;
  setTexts({ language: lang, direction: dir, table });
  if (json.includes('\u2066')) (await import('./untranslated.ts')).markUntranslated();
}
