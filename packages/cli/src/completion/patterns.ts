import type { CompletedCommand } from './command-table.ts';

/** The command before the cursor, as the scripts hold it: `''`, ` token`, ` token list`. */
export function placeOf(path: readonly string[]): string {
  return path.map((name) => ` ${name}`).join('');
}

export function commandPlaces(table: readonly CompletedCommand[]): string[] {
  return table.filter(({ path }) => path.length > 0).map(({ path }) => placeOf(path));
}

/** An option whose next word is its value, with the command that has it. */
export interface ValueOption {
  /** ` serve --log-level` */
  readonly place: string;
  readonly values: readonly string[];
  readonly takesFile: boolean;
}

export function valueOptions(table: readonly CompletedCommand[]): ValueOption[] {
  return table.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ name, values, takesFile }) => ({ place: `${placeOf(path)} ${name}`, values, takesFile })),
  );
}

/** A word of bash or zsh, whatever it contains. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A pattern of a `case` that is one of the texts. */
export function anyOf(texts: readonly string[]): string {
  return texts.map(quoted).join('|');
}
