/**
 * One word of a POSIX shell in a command that is shown to somebody. An imported record can have a name with characters that mean
 * something to a shell.
 */
export function shellWord(text: string): string {
  return /^[\w.:@/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
