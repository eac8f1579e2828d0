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
 * @param isStrict whether it is refused, too, what JSON turns into null, or has no form for
 * @throws EndpointError `INVALID_VALUE`
 */
export const checkOf =
  (isStrict: boolean | undefined): Check =>
  (value, place) => {
    const isNumber = isStrict && /^(bigint|number)$/.test(typeof value);
    if (isNumber ? Number.isFinite(value) : isData(value)) return value;
    const got = isNumber ? `${typeof value} ${value as number}` : kindOf(value);
    throw unexpected('INVALID_VALUE', `JSON data as "${place}"`, got);
  };

/** A copy of `data`, which may also be what is not sent as JSON. */
export const copyBody = (data: unknown, check: Check): unknown =>
  copyData(
    data,
    same,
    (value, place) => (value === data && !isJson(value) ? value : check(value, place)),
    'data',
  );
