/**
 * Text of another user or of a server, as it can be shown at a terminal: control characters would move its cursor or forge
 * lines, others hide or reorder what is read.
 */
export function printable(text: string): string {
  return text.replaceAll(/\p{C}/gu, '?');
}

/** The same of a text that has lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** JSON that means the same, with such characters escaped. */
export function printableJson(value: unknown): string {
  // A line break of the layout; within a string it is escaped already.
  return JSON.stringify(value, undefined, 2).replaceAll(/[^\P{C}\n]/gu, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
