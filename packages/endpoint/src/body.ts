import { type Check, copyData, hasJson, isJson, kindOf, same } from './data.ts';
import { unexpected } from './endpoint-error.ts';

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
export const checkMember: Check = (value, place) => {
  if (isData(value)) return value;
  throw unexpected('INVALID_VALUE', `data that JSON can hold as "${place}"`, kindOf(value));
};

/** Also what JSON turns into null, or has no form for. */
export const checkStrictMember: Check = (value, place) => {
  if (typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value))) {
    throw unexpected('INVALID_VALUE', `data that JSON can hold as "${place}"`, `${typeof value} ${value}`);
  }
  return checkMember(value, place);
};

/** A copy of `data`, which may also be what is not sent as JSON. */
export const copyBody = (data: unknown, check: Check): unknown =>
  copyData(
    data,
    same,
    (value, place) => (value === data && !isJson(value) ? value : check(value, place)),
    'data',
  );
