import { EndpointError } from '../endpoint-error.ts';
import type { Part } from './compile-template.ts';
import { isWord } from './percent-encode.ts';
import { expandVariable } from './variable.ts';

/** Where the values of variables come from. */
export interface Values {
  get(name: string): unknown;
  /** Set to false for a value that could mean more than itself in a path: with a dot, a slash, or encoded; or none. */
  areWords: boolean;
  /** Whether a variable that leaves a hole must have a value in the query and fragment, too. */
  readonly isStrict?: boolean | undefined;
}

/**
 * The text of the parts `from` … `to`.
 * @param isRoute whether variables must have a value in the path: `/repos//x` is never what was meant
 * @throws EndpointError `MISSING_VARIABLE`, `INVALID_VALUE`
 */
export const expand = (
  parts: readonly Part[],
  values: Values,
  from: number,
  to: number,
  isRoute: boolean,
): string => {
  let result = '';
  let isFirst = true;
  for (let index = from; index < to; index++) {
    const part = parts[index] as Part;
    if (typeof part === 'string') {
      result += part;
      continue;
    }
    if (part.isFirst) isFirst = true;
    const value = values.get(part.name);
    let text: string | undefined;
    // Most values are words.
    if (typeof value === 'string' && value !== '' && part.prefix === 0 && isWord(value))
      text = part.label + value;
    else {
      text = expandVariable(part, value);
      if (typeof value !== 'number') values.areWords = false;
    }
    const isMissing = text === undefined;
    if (
      (isRoute && part.isRequired && !text && (part.isBeforeSlash || isMissing)) ||
      (isMissing && values.isStrict && !part.operator.first)
    ) {
      throw new EndpointError('MISSING_VARIABLE', `a value for "${part.name}" is missing`);
    }
    if (text !== undefined) {
      result += (isFirst ? part.operator.first : part.operator.separator) + text;
      isFirst = false;
    }
  }
  return result;
};
