import { cached } from '../cached.ts';
import { EndpointError } from '../endpoint-error.ts';
import { encodeReserved, encodeUnreserved } from './percent-encode.ts';
import { toData } from './to-data.ts';

type Pair = readonly [key: string, value: unknown];

const isPair = (member: unknown): member is Pair =>
  Array.isArray(member) && member.length === 2 && typeof member[0] === 'string';

/** What lies deeper than RFC 6570 foresees goes as JSON. */
const toJson = (value: unknown): string =>
  // Of the holder's property, for the value has been through `toJSON` already, which bytes of Node.js have.
  JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key) {
    const member = this[key];
    return toData(member instanceof Map ? Object.fromEntries(member) : member);
  });

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
    // Most values are text.
    if (typeof value === 'string' && !prefix) return label(name, encode(value));
    const data = toData(value);
    // Null is as undefined as undefined (RFC 6570 section 2.3).
    if (data == null) return undefined;
    if (typeof data !== 'object') {
      const text = `${data}`;
      return label(name, encode(prefix ? [...text].slice(0, +prefix).join('') : text));
    }
    // section 2.4.1
    if (prefix) throw new EndpointError('INVALID_VALUE', `text for {${name}:${prefix}}`, typeof data);
    const members: unknown[] = Array.isArray(data) ? data : Object.entries(data);
    // The pairs of an associative array may stand in a list, too: entries, what a map or URLSearchParams gives.
    const isList = !members.every(isPair);
    const texts: unknown[] = [];
    for (const member of members) {
      const [key, value] = isList ? ['', member] : (member as Pair);
      const data = toData(value);
      if (data != null) {
        const text = encode(typeof data === 'object' ? toJson(value) : `${data}`);
        if (isList) texts.push(explode ? label(name, text) : text);
        else texts.push(explode ? pair(encode(key), text) : [encode(key), text]);
      }
    }
    if (!texts.length) return undefined;
    return explode ? texts.join(separator) : label(name, texts.join());
  };

  return [first, separator, expand];
});
