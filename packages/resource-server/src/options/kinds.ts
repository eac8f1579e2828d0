import { certificateForms, dpopAlgorithms } from '@watchword/proofs';
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
  return /^https?:\/\/[^\s@?#\\/][^\s@?#\\]*$/i.test(text) && isParsed(text);
}

function isParsed(text: string): boolean {
  try {
    return new platform.URL(text).hostname !== '';
  } catch {
    return false;
  }
}

// RFC 6749 §3.3, §5.2: of these characters none can end a quoted string or a line.
const scopeToken = /^[\x21\x23-\x5B\x5D-\x7E]+$/;
const quotable = /^[\x20\x21\x23-\x5B\x5D-\x7E]*$/;

export function isScopeToken(value: unknown): value is string {
  return typeof value === 'string' && scopeToken.test(value);
}

/** Whether a text can be part of a quoted string without a change. */
export function isQuotable(value: unknown): value is string {
  return typeof value === 'string' && quotable.test(value);
}

/** Whether it is an http address that stays on this machine. */
export function isLoopback(address: string): boolean {
  return /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/?]|$)/i.test(address);
}

// The characters of RFC 3986 without the number sign: it stands in a quoted part of challenges.
const uriPattern = /^https?:\/\/[^@?/#]+(?:[/?][\w!$%&'()*+,./:;=?@~-]*)?$/i;

const uri: Kind = {
  expected: 'an https URL without user and fragment (http on loopback)',
  isValid: (value) =>
    typeof value === 'string' &&
    uriPattern.test(value) &&
    isQuotable(value) &&
    (/^https:/i.test(value) || isLoopback(value)) &&
    isParsed(value),
  show: webAddress.show,
};

/** A value of the kind, or several. */
export function oneOrMore(kind: Kind): Kind {
  return {
    expected: `${kind.expected}, or a list of them`,
    isValid: (value) => kind.isValid(value) || listOf(kind).isValid(value),
    show: (value) => (Array.isArray(value) ? listOf(kind) : kind).show(value),
  };
}

/** A URI, or several. */
export const resourceUri = oneOrMore(uri);

export const proofAlgorithm: Kind = {
  expected: `an algorithm of ${dpopAlgorithms.join(', ')}`,
  isValid: (value) => dpopAlgorithms.some((algorithm) => algorithm === value),
  show: describe,
};

export const proofStore: Kind = {
  expected: 'an object with the function use',
  isValid: (value) => typeof Object(value).use === 'function',
  show: describe,
};

export const certificateForm: Kind = {
  expected: certificateForms.join(', ').replace(/, (?=\w+$)/, ' or '),
  isValid: (value) => certificateForms.some((form) => form === value),
  show: describe,
};

export const headerName: Kind = {
  expected: 'the name of a header',
  isValid: (value) => typeof value === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(value),
  show: describe,
};

const address: Kind = {
  expected: 'an IP address or range such as 10.0.0.0/8',
  isValid: (value) =>
    typeof value === 'string' && /^[\d.]+(?:\/\d+)?$|^[\da-f:.]*:[\da-f:.]*(?:\/\d+)?$/i.test(value),
  show: describe,
};

export const proxies: Kind = {
  expected: `* or ${listOf(address).expected}`,
  isValid: (value) => value === '*' || listOf(address).isValid(value),
  show: listOf(address).show,
};

export const longSecret: Kind = {
  ...credential,
  expected: `${credential.expected}, of 32 characters or more`,
  isValid: (value) => credential.isValid(value) && String(value).length >= 32,
};

export const webPage: Kind = {
  expected: 'an http(s) URL',
  isValid: (value) => typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) && isParsed(value),
  show: webAddress.show,
};

export const scopeName: Kind = {
  expected: 'scope token (RFC 6749 section 3.3)',
  isValid: isScopeToken,
  show: describe,
};

export const displayName: Kind = {
  expected: 'text that people can read',
  isValid: (value) => typeof value === 'string' && value.trim() !== '' && value.search(hidden) < 0,
  show: describe,
};

/** A list with an item at least. */
export function listOf(kind: Kind): Kind {
  return {
    expected: `a list of one ${kind.expected.replace(/^an? /, '')} or more`,
    isValid: (value) => Array.isArray(value) && value.length > 0 && value.every(kind.isValid),
    show: (value) => {
      const isList = Array.isArray(value) && value.length > 0;
      return isList ? kind.show(value.find((item) => !kind.isValid(item))) : describe(value);
    },
  };
}
