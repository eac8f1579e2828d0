import { EndpointError } from '../endpoint-error.ts';
import type { Part } from './compile-template.ts';
import { isWord } from './percent-encode.ts';
import { expandVariable } from './variable.ts';

/** Where the values of variables come from. */
export interface Values {
  get(name: string): unknown;
  /** Set to false for a value that could mean more than itself in a path: with a dot, a slash, or encoded; or none. */
  areWords: boolean;
  /** Whether variables must have a value: not at all; in the path (`/repos//x` is never what was meant); also in the query and fragment. */
  readonly need: 0 | 1 | 2;
}

/** @throws EndpointError `MISSING_VARIABLE`, `INVALID_VALUE` */
export const expand = (parts: readonly Part[], values: Values): string => {
  let result = '';
  let isFirst = true;
  for (const part of parts) {
    if (typeof part === 'string') {
      result += part;
      continue;
    }
    const { name, operator, label, need } = part;
    if (part.isFirst) isFirst = true;
    const value = values.get(name);
    let text: string | undefined;
    // Most values are words.
    if (typeof value === 'string' && value && !part.prefix && isWord(value)) text = label + value;
    else {
      text = expandVariable(part, value);
      if (typeof value !== 'number' && operator.separator !== '&') values.areWords = false;
    }
    if (
      !text &&
      values.need &&
      (text === undefined ? need || (values.need > 1 && !operator.first) : need > 1)
    ) {
      throw new EndpointError('MISSING_VARIABLE', `a value for "${name}" is missing`);
    }
    if (text !== undefined) {
      result += (isFirst ? operator.first : operator.separator) + text;
      isFirst = false;
    }
  }
  return result;
};
