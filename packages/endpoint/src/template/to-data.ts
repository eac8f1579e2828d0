import { isJson, isPlain, kindOf } from '../data.ts';
import { unexpected } from '../endpoint-error.ts';

type Method = 'toJSON' | 'valueOf' | 'toString';

/** What the value's own method of this name gives; itself, where it has none. */
const call = (value: unknown, method: Method): unknown => {
  const thing = value as Record<Method, unknown> | null;
  return typeof thing?.[method] === 'function' ? thing[method]() : value;
};

/** The data of an object that is not a boxed primitive; undefined if a URL cannot represent it. */
const membersOf = (data: object): unknown => {
  if (data instanceof Map) return Array.from(data, ([key, member]) => [`${key}`, member]);
  if (Symbol.iterator in data) return [...(data as Iterable<unknown>)];
  const text = call(data, 'toString');
  if (typeof text === 'string' && !text.startsWith('[object ')) return text;
  return isPlain(data) || (isJson(data) && Object.keys(data).length) ? data : undefined;
};

const resolve = (value: object | symbol, name: string): unknown => {
  if (typeof value === 'object' && !ArrayBuffer.isView(value)) {
    const data = call(call(value, 'toJSON'), 'valueOf');
    // A date that is none writes itself as null, which would vanish here.
    const result = Object(data) === data ? membersOf(data as object) : toData(data, name);
    if (result != null) return result;
  }
  throw unexpected('INVALID_VALUE', `text, number, list or data as "${name}"`, kindOf(value));
};

/**
 * The data of a value: a primitive, a list, or an object with its properties.
 *
 * A date is its ISO 8601 text, a boxed primitive the primitive, a set or other iterable the list of its members, and so a
 * `Map` or `URLSearchParams` a list of pairs.
 * @param name of the variable, for the error
 * @throws EndpointError `INVALID_VALUE` for what has no text, such as a promise, bytes, a function or an invalid date
 */
export const toData = (value: unknown, name: string): unknown =>
  // Short, for most values are text and numbers.
  value && (typeof value === 'object' || typeof value === 'function' || typeof value === 'symbol')
    ? resolve(value, name)
    : value;
