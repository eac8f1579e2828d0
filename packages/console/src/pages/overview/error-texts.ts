import type { TextKey } from '../../texts/parameters.ts';
import { textOf } from '../../texts/texts.ts';

/** An error of the server in a few words. An error that these pages do not know is shown by its name. */
export function errorText(error: string): string {
  const key = `error.${error}`;
  const text = textOf(key as TextKey);
  return text === key ? error.replaceAll('_', ' ') : text;
}
