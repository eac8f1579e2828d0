import { copyData, hasJson, isJson, kindOf, overlay, same } from './data.ts';
import { EndpointError } from './endpoint-error.ts';
import type { Parameters } from './types.ts';

/** Whether JSON holds it. It leaves out functions without a word, and makes `{}` of a promise, a form or an error. */
const isData = (value: unknown): boolean => {
  if (typeof value !== 'object') return typeof value !== 'function' && typeof value !== 'symbol';
  return (
    !value ||
    hasJson(value) ||
    /t (Object|String|Number|Boolean|BigInt)]/.test(kindOf(value)) ||
    Object.keys(value).length > 0
  );
};

/**
 * The same value.
 * @throws EndpointError `INVALID_VALUE`
 */
const checkMember = (value: unknown): unknown => {
  if (isData(value)) return value;
  throw new EndpointError('INVALID_VALUE', 'data that JSON can hold', kindOf(value));
};

/** A JSON body of the parameters that `omit` does not name; undefined if there are none. */
export const bodyOf = (parameters: Parameters, omit: ReadonlySet<string>): unknown =>
  overlay(undefined, parameters, (value) => copyData(value, same, checkMember), omit);

/** A copy of `data`, which may also be what is not sent as JSON. */
export const copyBody = (data: unknown): unknown =>
  copyData(data, same, (value) => (value === data && !isJson(value) ? value : checkMember(value)));
