import { isInvisible } from '@watchword/protocol';

// Characters that are invisible or change the text direction, and letters that have no shape. U+200C and U+200D stay, because
// they join and separate letters in some scripts and in emoji.
const unseen = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u115F\u1160\u2800\u3164\uFFA0]/gu;

const spaces = /[\t\n\v\f\r\p{Z}]+/gu;

// Many marks on one letter would cover the lines above and below.
const piledMarks = /(\p{M}{4})\p{M}+/gu;

// Most names contain only these characters and need no change.
const plain = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/**
 * Makes a text from outside safe to show: without hidden characters, on one line, with at most `maxLength` characters.
 * The result is not escaped.
 */
export function presentable(text: string, maxLength: number): string {
  if (text.length <= maxLength && plain.test(text)) return text;
  const seen = text.replaceAll(spaces, ' ').trim().replaceAll(unseen, '\uFFFD').replaceAll(piledMarks, '$1');
  if (seen !== '' && isInvisible(seen)) return '\uFFFD';
  const characters = [...seen];
  if (characters.length <= maxLength) return seen;
  return `${characters
    .slice(0, maxLength - 1)
    .join('')
    .trimEnd()}…`;
}

export function escapeHtml(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = String(value);
  return special.test(text)
    ? text.replaceAll(/[&<>"'\u2068\u2069]/g, (character) => entities[character] ?? '')
    : text;
}

// The isolates as references too: a page of ASCII characters costs less to send.
const special = /[&<>"'\u2068\u2069]/;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\u2068': '&#x2068;',
  '\u2069': '&#x2069;',
};
