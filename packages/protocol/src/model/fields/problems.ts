import { characterAt, shown } from '../hidden-characters.ts';

/** The context of a check. */
export interface CheckContext<Value> {
  /** The stored value that is to be changed; `undefined` for a new record. */
  readonly before: Value | undefined;
  /** Whether requests to this server can separate scopes by a comma. */
  readonly isCommaSeparator: boolean;
}

/** Characters of a name and of any other text. */
export const maxNameLength = 255;
export const maxTextLength = 2000;

// The address grammar of HTML's input[type=email]: it accepts the usual e-mail addresses, in linear time.
export const usualEmail = /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)*$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const controlCharacters = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\p{Cs}]/u;

// White space, marks without a letter, joiners and other characters that are not drawn, and the empty Braille pattern.
const invisible = /^[\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]*$/u;

/** Whether a reader sees nothing of the text. A page with it would look as if the text were missing. */
export function isInvisible(value: string): boolean {
  return invisible.test(value);
}

/** Of a text that is stored and shown. */
export function* textProblems(value: string, maxLength: number = maxTextLength): Iterable<string> {
  if (value.length > maxLength) yield `is longer than ${maxLength} characters`;
  const control = characterAt(value, controlCharacters);
  if (control !== undefined) {
    yield `holds a control character, one that turns the direction of text, or a lone surrogate (${control})`;
  }
}

/** Of a name, of which a reader must see something. */
export function* nameProblems(value: string): Iterable<string> {
  if (/^ *$/.test(value)) yield 'is required';
  else if (isInvisible(value)) yield 'has no visible character';
  yield* textProblems(value, maxNameLength);
}

/** Of an e-mail address; the empty text is no address and no problem. */
export function* emailProblems(value: string): Iterable<string> {
  if (value !== '' && !(value.length <= maxNameLength && usualEmail.test(value))) {
    yield 'is not an e-mail address';
  }
}

/** That a text is of another form; the empty text is no problem. */
export function* unlike(value: string, expected: string): Iterable<string> {
  if (value !== '') yield `expected ${expected}, got ${shown(value, 40)}`;
}

/** Of an https URL to which pages link; the empty text is no URL and no problem. */
export function* linkProblems(value: string): Iterable<string> {
  const url = value.length <= maxTextLength && /^https:\/\/[^\s\\]+$/i.test(value) ? URL.parse(value) : null;
  if (value !== '' && (url === null || url.username !== '' || url.password !== ''))
    yield 'is not an https URL, without user name and password';
}

/** Of an http(s) URL; the empty text is no URL and no problem. */
export function* webUrlProblems(value: string): Iterable<string> {
  const isWebUrl =
    value.length <= maxTextLength && /^https?:\/\/[^\s\\]+$/i.test(value) && URL.canParse(value);
  if (value !== '' && !isWebUrl) yield 'is not an http(s) URL';
}
