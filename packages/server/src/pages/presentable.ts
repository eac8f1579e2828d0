// What cannot be seen, or turns the direction of text around it. U+200C and U+200D, which join and part
// letters in some scripts and in emoji, stay.
const unseen = /(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu;

const spaces = /[\t\n\v\f\r\p{Z}]+/gu;

// Marks piled upon one letter would run into the lines above and below it.
const piledMarks = /(\p{M}{4})\p{M}+/gu;

// Most names: nothing of the above can be in them.
const plain = /^(?:[!-~]+(?: [!-~]+)*)?$/;

/**
 * A text from outside as it may be shown: nothing hidden in it, on one line, at most `maxLength` characters.
 * It is not escaped yet.
 */
export function presentable(text: string, maxLength: number): string {
  if (text.length <= maxLength && plain.test(text)) return text;
  const seen = text.replaceAll(spaces, ' ').trim().replaceAll(unseen, '\uFFFD').replaceAll(piledMarks, '$1');
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
  return special.test(text) ? text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '') : text;
}

const special = /[&<>"']/;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
