import { fallbackLanguage, type Locales } from './locales.ts';
import { languageLookup } from './negotiate.ts';
import { escapeHtml } from './presentable.ts';

export type Values = Readonly<Record<string, string>>;

/** The texts of pages in one language. `{name}` in a text is replaced by a value. */
export interface Texts {
  readonly language: string;
  readonly direction: 'ltr' | 'rtl';
  has(key: string): boolean;
  /** All keys. */
  keys(): readonly string[];
  /** The text as its file has it; `''` if there is none. */
  raw(key: string): string;
  /** Plain text for attributes and the title. Unicode isolates surround each value. */
  plain(key: string, values?: Values): string;
  /** HTML. Text and values are escaped, and each value has its own `<bdi>`. */
  html(key: string, values?: Values): string;
  /** A day, such as "3 May 2026". @param timestamp epoch milliseconds */
  date(timestamp: number): string;
  /** A day with the time, such as "3 May 2026 at 14:05 UTC". @param timestamp epoch milliseconds */
  time(timestamp: number): string;
}

const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa']);

/** The direction in which a language is written. @param language BCP 47 */
export function directionOf(language: string): 'ltr' | 'rtl' {
  return rightToLeft.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr';
}

/** Around a plain text that is in English because the language of the page lacks it. No text from outside has these (`presentable`). */
const [begin, end] = ['\uE000', '\uE001'];

const spanBegin = `<span lang="${fallbackLanguage}" dir="ltr">`;

function within(before: string, [first = '', ...others]: readonly string[], after: string): string[] {
  const last = others.pop();
  return last === undefined ? [before + first + after] : [before + first, ...others, last + after];
}

/** The text without the marks of its language. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/[\uE000\uE001]/g, '');
}

/** Gives each part of a page that is left in English the attribute `lang`. Attributes of elements and the title cannot have it. */
export function withLanguages(html: string): string {
  if (!html.includes(begin)) return html;
  let isEnglish = false;
  return html.replaceAll(/<title>[^<]*<\/title>|<(?:"[^"]*"|'[^']*'|[^"'>])*>|[^<]+/g, (part) => {
    if (part.startsWith('<')) return withoutMarks(part);
    return part.replaceAll(/([\uE000\uE001])|[^\uE000\uE001]+/g, (run, mark?: string) => {
      if (mark !== undefined) {
        isEnglish = mark === begin;
        return '';
      }
      return isEnglish && run.trim() !== '' ? `${spanBegin}${run}</span>` : run;
    });
  });
}

/** Finds the texts for the `Accept-Language` of a browser. Each language is prepared once. */
export function textsIn(locales: Locales): (acceptLanguage: string | undefined) => Texts {
  const languageOf = languageLookup([...locales.keys()], fallbackLanguage);
  const ready = new Map<string, Texts>();
  return (acceptLanguage) => {
    const language = languageOf(acceptLanguage);
    const texts = ready.get(language) ?? textsOf(locales, language);
    ready.set(language, texts);
    return texts;
  };
}

function textsOf(locales: Locales, language: string): Texts {
  const own = locales.get(language);
  const fallback = locales.get(fallbackLanguage);
  const find = (key: string) => own?.get(key) ?? fallback?.get(key);
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
  let times: Intl.DateTimeFormat | undefined;
  const ready = new Map<string, Text>();
  const textOf = (key: string): Text => {
    const known = ready.get(key);
    if (known !== undefined) return known;
    const text = find(key);
    // An unknown key is a text itself and can have any value, so it is not cached.
    if (text === undefined) return { plain: [key], html: [escapeHtml(key)] };
    const parts = text.split(placeholder);
    const html = parts.map((part, index) => (index % 2 === 0 ? escapeHtml(part) : part));
    const isForeign = own?.has(key) !== true && language !== fallbackLanguage;
    const made = isForeign
      ? { plain: within(begin, parts, end), html: within(spanBegin, html, '</span>') }
      : { plain: parts, html };
    ready.set(key, made);
    return made;
  };
  return {
    language,
    direction: directionOf(language),
    has: (key) => find(key) !== undefined,
    keys: () => [...new Set([...(fallback?.keys() ?? []), ...(own?.keys() ?? [])])],
    raw: (key) => find(key) ?? '',
    plain: (key, values) => fill(textOf(key).plain, values, language, (value) => `\u2068${value}\u2069`),
    html: (key, values) =>
      fill(textOf(key).html, values, language, (value) => `<bdi>${escapeHtml(value)}</bdi>`),
    date: (timestamp) => dates.format(timestamp),
    time(timestamp) {
      times ??= new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
      return `${times.format(timestamp)} UTC`;
    },
  };
}

/** A text as parts with placeholders between them, without braces. In HTML the parts are escaped. */
interface Text {
  readonly plain: readonly string[];
  readonly html: readonly string[];
}

const placeholder = /\{(\w+(?::duration)?)\}/;

function fill(
  parts: readonly string[],
  values: Values | undefined,
  language: string,
  ofValue: (value: string) => string,
): string {
  let filled = parts[0] ?? '';
  for (let index = 1; index < parts.length; index += 2) {
    const name = parts[index] ?? '';
    const value = values && valueFor(name, values, language);
    filled += value === undefined ? `{${name}}` : ofValue(value);
    filled += parts[index + 1] ?? '';
  }
  return filled;
}

/** The value of `name`, or of `name:duration`, a number of seconds in words: "30 seconds", "15 Minuten". */
function valueFor(placeholder: string, values: Values, language: string): string | undefined {
  const [name = '', format] = placeholder.split(':');
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  return value === undefined || format === undefined ? value : duration(Number(value), language);
}

function duration(seconds: number, language: string): string {
  const [amount, unit] = seconds < 120 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(amount);
}
