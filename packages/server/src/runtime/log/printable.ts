/**
 * Makes a text of another user or of a server safe to show at a terminal, with such characters escaped. Control characters could
 * move the cursor or forge lines, and other characters could hide or reorder text.
 */
export function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, escaped);
}

/** The same for a text of several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** JSON of the same value, with such characters escaped. @param indent spaces, 0 for JSON on one line */
export function printableJson(value: unknown, indent = 2): string {
  // A line break here is layout. Within a string JSON has already escaped it.
  return JSON.stringify(value, undefined, indent).replaceAll(/[^\P{C}\n]/gu, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
