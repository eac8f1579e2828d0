// Characters that a reader does not see, or takes for a plain space: control and format characters, lone surrogates, separators,
// joiners, fillers and the empty Braille pattern. Text that is pasted from a web page or a chat has them.
const hidden = /(?! )[\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Default_Ignorable_Code_Point}\u2800]/gu;

// A text can have thousands, and a message names the first of them.
const mostNamed = 3;

/** A character, and where it is in its text. */
interface PlacedCharacter {
  /** Such as `U+200B`. */
  readonly code: string;
  /** The first character is at 1. A character outside of the Basic Multilingual Plane counts as one. */
  readonly position: number;
}

/** The characters of a text that a reader does not see: the first ones, and how many follow. */
function hiddenCharacters(text: string): { first: readonly PlacedCharacter[]; more: number } {
  const found = [...text.matchAll(hidden)];
  const first = found.slice(0, mostNamed).map(({ 0: character, index }) => placed(character, text, index));
  return { first, more: found.length - first.length };
}

/** The first character that matches, as `U+200B at position 22`; `undefined` if none does. @param pattern of one character */
export function characterAt(text: string, pattern: RegExp): string | undefined {
  const found = pattern.exec(text);
  return found === null ? undefined : inWords(placed(found[0], text, found.index));
}

/** A text in a message: quoted, with a limited length, hidden characters as escapes, which are named after it. */
export function shown(text: string, maxLength: number): string {
  return withHidden(inQuotes(text.slice(0, maxLength)), text);
}

/** The same without quotes and limit, for a name. */
export function named(text: string): string {
  return withHidden(withEscapes(text), text);
}

/** A text as JSON, with hidden characters as escapes. */
export function inQuotes(text: string): string {
  return withEscapes(JSON.stringify(text));
}

/** A text with a space in place of each character that a reader does not see. */
export function withoutHidden(text: string): string {
  return text.replaceAll(hidden, ' ');
}

/** A text with `\u200b` in place of what a reader does not see. */
export function withEscapes(text: string): string {
  return text.replaceAll(hidden, (character) => {
    const code = hexadecimal(character).toLowerCase();
    return code.length > 4 ? `\\u{${code}}` : `\\u${code}`;
  });
}

/**
 * What is wrong with a text, with its hidden characters: in their place the text looks right, and the message like a mistake.
 * `is no URL (U+200B at position 22)`, or after a sentence: `It has U+200B at position 22.` It is ASCII without quote and backslash
 * (RFC 6749 §5.2) where the problem is.
 */
export function withHidden(problem: string, text: string): string {
  const { first, more } = hiddenCharacters(text);
  if (first.length === 0 || /U\+[0-9A-F]{4,6} at position \d/.test(problem)) return problem;
  const words = `${first.map(inWords).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return problem.endsWith('.') ? `${problem} It has ${words}.` : `${problem} (${words})`;
}

function inWords({ code, position }: PlacedCharacter): string {
  return `${code} at position ${position}`;
}

function placed(character: string, text: string, index: number): PlacedCharacter {
  return { code: `U+${hexadecimal(character)}`, position: [...text.slice(0, index)].length + 1 };
}

function hexadecimal(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
