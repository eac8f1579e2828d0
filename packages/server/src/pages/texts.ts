import { fallbackLanguage, type Locales } from './locales.ts';
import { lookUpLanguage } from './negotiate.ts';
import { escapeHtml } from './presentable.ts';

export type Values = Readonly<Record<string, string>>;

/** What the pages say in one language. `{name}` in a text is replaced by a value. */
export interface Texts {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  has(key: string): boolean;
  /** Plain text: for attributes and the title. Values stand between Unicode isolates. */
  plain(key: string, values?: Values): string;
  /** HTML: text and values escaped, each value in a `<bdi>` of its own. */
  html(key: string, values?: Values): string;
  /** A day, e.g. "3 May 2026". @param moment epoch milliseconds */
  date(moment: number): string;
}

const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

export function chooseTexts(locales: Locales, acceptLanguage: string | undefined): Texts {
  const language = lookUpLanguage(acceptLanguage, [...locales.keys()], fallbackLanguage);
  const own = locales.get(language);
  const fallback = locales.get(fallbackLanguage);
  const find = (key: string) => own?.get(key) ?? fallback?.get(key);
  const script = new Intl.Locale(language).maximize().script ?? '';
  return {
    language,
    direction: rightToLeft.has(script) ? 'rtl' : 'ltr',
    has: (key) => find(key) !== undefined,
    plain: (key, values = {}) => fill(find(key) ?? key, values, String, (value) => `\u2068${value}\u2069`),
    html: (key, values = {}) =>
      fill(find(key) ?? key, values, escapeHtml, (value) => `<bdi>${escapeHtml(value)}</bdi>`),
    date: (moment) =>
      new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(moment),
  };
}

function fill(
  text: string,
  values: Values,
  ofText: (text: string) => string,
  ofValue: (value: string) => string,
): string {
  return text
    .split(/\{(\w+)\}/)
    .map((part, index) => {
      if (index % 2 === 0) return ofText(part);
      return Object.hasOwn(values, part) ? ofValue(values[part] ?? '') : ofText(`{${part}}`);
    })
    .join('');
}
