/**
 * Lines to paste. They read the secret from the environment. While the secret is known, the first line sets it there, so
 * that no user has to write one into a program.
 */
export interface Snippet {
  readonly label: string;
  readonly lead: string;
  readonly text: string;
  /** Further files, and commands. */
  readonly others?: readonly string[];
}

export function lines(...texts: readonly string[]): string {
  return texts.join('\n');
}

/** Puts a secret into the environment of a shell; no line when it is not known. */
export function secretLine(name: string, secret: string | undefined, isExported = false): readonly string[] {
  return secret === undefined ? [] : [`${isExported ? 'export ' : ''}${name}=${shellWord(secret)}`];
}

/** One word of a POSIX shell with any content: text that other users registered must not become a command. */
export function shellWord(text: string): string {
  return /^[\w:/.@=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text of JavaScript, Python or PHP between single quotes. */
export function scriptText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** A text between double quotes, as Go and C# have it. */
export function quotedText(text: string): string {
  return JSON.stringify(text);
}
