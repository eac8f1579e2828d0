import { platform } from '../platform/platform.ts';

/** A kind of value: what is expected of it, and whether one is of the kind. */
export interface Kind {
  /** Completes the sentence "expected …". */
  readonly expected: string;
  isValid(value: unknown): boolean;
  /** What came, without anything that may be secret. */
  show(value: unknown): string;
}

/** What came, for people; texts are quoted and cut short. */
export function describe(value: unknown): string {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return 'nothing';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? shown(value) : `a value of type ${typeof value}`;
}

// Characters that nobody sees: a text that was pasted has them. As the messages of the server show them.
const hidden = /(?! )[\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const mostNamed = 3;

/** `"http://a\u200b" (U+200B at position 9)` */
function shown(text: string): string {
  const code = (character: string) => (character.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  const escaped = (character: string) =>
    character.length > 1 ? `\\u{${code(character)}}` : `\\u${code(character)}`;
  const quoted = JSON.stringify(text.slice(0, 80)).replaceAll(hidden, escaped);
  const found = [...text.matchAll(hidden)].map(
    ({ 0: character, index }) =>
      `U+${code(character).toUpperCase()} at position ${[...text.slice(0, index)].length + 1}`,
  );
  if (found.length === 0) return quoted;
  const more = found.length > mostNamed ? ` and ${found.length - mostNamed} more` : '';
  return `${quoted} (${found.slice(0, mostNamed).join(', ')}${more})`;
}

export function wholeNumber(min: number, max: number, unit: string): Kind {
  return {
    expected: `a whole number of ${unit} from ${min} to ${max}`,
    isValid: (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
    show: describe,
  };
}

export const truth: Kind = {
  expected: 'true or false',
  isValid: (value) => typeof value === 'boolean',
  show: describe,
};

export const aFunction: Kind = {
  expected: 'a function',
  isValid: (value) => typeof value === 'function',
  show: describe,
};

// A line break at the end comes with secrets that were written by an editor or `echo`.
export const credential: Kind = {
  expected: 'text without white space at its ends and without NUL',
  isValid: (value) =>
    typeof value === 'string' &&
    value !== '' &&
    value.trim() === value &&
    !value.includes('\0') &&
    // A lone surrogate has no UTF-8.
    !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(value),
  show: (value) => (typeof value === 'string' && value !== '' ? 'text that is not shown' : describe(value)),
};

export const webAddress: Kind = {
  expected: 'an http(s) URL without user, query and fragment',
  isValid: (value) => typeof value === 'string' && isWebAddress(value),
  show: (value) => describe(typeof value === 'string' ? value.replace(/\/\/.*@/, '//[redacted]@') : value),
};

function isWebAddress(text: string): boolean {
  if (!/^https?:\/\/[^\s@?#\\/][^\s@?#\\]*$/i.test(text)) return false;
  try {
    return new platform.URL(text).hostname !== '';
  } catch {
    return false;
  }
}
