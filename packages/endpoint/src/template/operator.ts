import { cached } from '../cached.ts';
import { EndpointError } from '../endpoint-error.ts';
import { encodeReserved, encodeUnreserved } from './percent-encode.ts';

interface Serializable {
  readonly toJSON: () => unknown;
}

/** What JSON would hold of a value: a date becomes ISO 8601. */
const toData = (value: unknown): unknown =>
  typeof (value as Serializable)?.toJSON === 'function' ? (value as Serializable).toJSON() : value;

/**
 * Section 3.2.1 for one variable; undefined where the value is, or has no members.
 * @param prefix of `{name:3}`: how many characters to keep
 * @param explode of `{name*}`: members stand apart
 * @throws EndpointError `INVALID_VALUE`
 */
type Expand = (value: unknown, name: string, prefix?: string, explode?: string) => string | undefined;

/** RFC 6570 appendix A, columns `first` and `sep` */
export type Operator = readonly [first: string, separator: string, expand: Expand];

/** The operator with this symbol: one of `+#./;?&`, or none. */
export const operatorOf = cached((symbol): Operator => {
  const first = symbol.replace('+', '');
  const separator = first.replace('?', '&').replace(/^#?$/, ',');
  const encode = /[+#]/.test(symbol) ? encodeReserved : encodeUnreserved;
  const pair = (name: string, text: string) => (text || symbol !== ';' ? `${name}=${text}` : name);
  const label = /[;?&]/.test(symbol) ? pair : (_: string, text: string) => text;

  const expand: Expand = (value, name, prefix, explode) => {
    const data = toData(value);
    // Null is as undefined as undefined (RFC 6570 section 2.3).
    if (data == null) return undefined;
    if (typeof data !== 'object') {
      const text = String(data);
      return label(name, encode(prefix ? [...text].slice(0, +prefix).join('') : text));
    }
    // section 2.4.1
    if (prefix) throw new EndpointError('INVALID_VALUE', `text for {${name}:${prefix}}`, typeof data);
    const isList = Array.isArray(data);
    const members: unknown[] = [];
    for (const [key, value] of Object.entries(data as object)) {
      const member = toData(value);
      if (member != null) {
        const text = encode(typeof member === 'object' ? JSON.stringify(member) : String(member));
        if (isList) members.push(explode ? label(name, text) : text);
        else members.push(explode ? pair(encode(key), text) : [encode(key), text]);
      }
    }
    if (!members.length) return undefined;
    return explode ? members.join(separator) : label(name, members.join());
  };

  return [first, separator, expand];
});
