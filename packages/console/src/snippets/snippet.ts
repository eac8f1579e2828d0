/** Lines to paste. Secrets are read from the environment: nobody has to put one into a file or a command line. */
export interface Snippet {
  readonly label: string;
  readonly lead: string;
  readonly text: string;
}

export function lines(...texts: readonly string[]): string {
  return texts.join('\n');
}

/** One word of a POSIX shell, whatever is in it: what others registered must not become a command. */
export function shellWord(text: string): string {
  return /^[\w:/.@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text of JavaScript. */
export function scriptText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
