import { own } from '../data.ts';
import { EndpointError } from '../endpoint-error.ts';
import type { Parameters } from '../types/options.ts';
import type { Part } from './compile-template.ts';
import { isWord } from './percent-encode.ts';
import { expandVariable } from './variable.ts';

/** The value of a parameter of the call, which must be its own, or of one of the defaults. */
export const valueFrom = (name: string, given: Parameters | undefined, defaults?: Parameters): unknown => {
  const value = own(given, name);
  return value === undefined ? defaults?.[name] : value;
};

interface Expanded {
  readonly text: string;
  /** Whether no value could mean more than itself in a path: with a dot, a slash, or encoded; or none. */
  readonly areWords: boolean;
}

/**
 * @param needed which variables must have a value: none; those of the path (`/repos//x` is never what was meant); also those of the
 * query and the fragment
 * @throws EndpointError `MISSING_VARIABLE`, `INVALID_VALUE`
 */
export const expand = (
  parts: readonly Part[],
  needed: 0 | 1 | 2,
  given: Parameters | undefined,
  defaults?: Parameters,
): Expanded => {
  let result = '';
  let areWords = true;
  let isFirst = true;
  for (const part of parts) {
    if (typeof part === 'string') {
      result += part;
      continue;
    }
    const { name, operator, label, need } = part;
    if (part.isFirst) isFirst = true;
    const value = valueFrom(name, given, defaults);
    let text: string | undefined;
    // Most values are words.
    if (typeof value === 'string' && value && !part.prefix && isWord(value)) text = label + value;
    else {
      text = expandVariable(part, value);
      if (typeof value !== 'number' && operator.separator !== '&') areWords = false;
    }
    if (!text && needed && (text === undefined ? need || (needed > 1 && !operator.first) : need > 1)) {
      throw new EndpointError('MISSING_VARIABLE', `a value for "${name}" is missing`);
    }
    if (text !== undefined) {
      result += (isFirst ? operator.first : operator.separator) + text;
      isFirst = false;
    }
  }
  return { text: result, areWords };
};
