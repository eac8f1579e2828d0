import { unexpected } from '../endpoint-error.ts';
import type { Operator } from './operator.ts';
import { encodeReserved, encodeUnreserved } from './percent-encode.ts';
import { toData } from './to-data.ts';

/** One variable of an expression. */
export interface Variable {
  readonly name: string;
  readonly operator: Operator;
  /** What stands before a value: `name=`, or nothing. */
  readonly label: string;
  /** Of `{name:3}`: how many characters to keep; or 0. */
  readonly prefix: number;
  /** Of `{name*}`: members stand apart. */
  readonly isExploded: boolean;
  /** Whether it is the first one of its expression. */
  readonly isFirst: boolean;
  /** Whether it leaves a hole in a path: 1 where it has no value, 2 also where it has an empty one; or 0. */
  readonly need: number;
}

export const variableOf = (
  name: string,
  operator: Operator,
  prefix = 0,
  isExploded = false,
  isFirst = false,
  need = 0,
): Variable => ({
  name,
  operator,
  label: operator.isNamed ? `${name}=` : '',
  prefix,
  isExploded,
  isFirst,
  need,
});

type Pair = readonly [key: string, value: unknown];

const isPair = (member: unknown): member is Pair =>
  Array.isArray(member) && member.length === 2 && typeof member[0] === 'string';

/** The pairs of an associative array, which can stand in a list, too: entries, what a map or URLSearchParams gives. */
export const entriesOf = (data: object): readonly Pair[] | undefined => {
  if (!Array.isArray(data)) return Object.entries(data);
  return isPair(data[0]) && data.every(isPair) ? data : undefined;
};

const encode = (text: string, { isReserved }: Operator): string =>
  isReserved ? encodeReserved(text) : encodeUnreserved(text);

/** What lies deeper than RFC 6570 foresees goes as JSON. */
const toJson = (value: unknown, name: string): string =>
  // Of the holder's property, for the value has been through `toJSON` already, which bytes of Node.js have.
  JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key) {
    const member = this[key];
    return toData(member instanceof Map ? Object.fromEntries(member) : member, name);
  });

/** The encoded text of a member; undefined where it has none. */
const memberText = (member: unknown, { name, operator }: Variable): string | undefined => {
  if (typeof member === 'string') return encode(member, operator);
  const data = toData(member, name);
  if (data == null) return undefined;
  return encode(typeof data === 'object' ? toJson(member, name) : `${data as string}`, operator);
};

/** `name=text`; `;name` of nothing has no equals sign (RFC 6570 section 3.2.7). */
const labelled = ({ name, label, operator }: Variable, text: string): string =>
  text || operator.first !== ';' ? label + text : name;

/** @param arePairs whether the members are pairs of an associative array */
const expandMembers = (
  members: readonly unknown[],
  arePairs: boolean,
  variable: Variable,
): string | undefined => {
  const { operator, isExploded } = variable;
  let result: string | undefined;
  for (const member of members) {
    let text = memberText(arePairs ? (member as Pair)[1] : member, variable);
    if (text === undefined) continue;
    if (arePairs) {
      const name = encode((member as Pair)[0], operator);
      text = isExploded ? labelled({ ...variable, name, label: `${name}=` }, text) : `${name},${text}`;
    } else if (isExploded) text = labelled(variable, text);
    result = result === undefined ? text : result + (isExploded ? operator.separator : ',') + text;
  }
  return result === undefined || isExploded ? result : labelled(variable, result);
};

/**
 * RFC 6570 section 3.2.1 for one variable; undefined where the value is, or has no members.
 * @throws EndpointError `INVALID_VALUE`
 */
export const expandVariable = (variable: Variable, value: unknown): string | undefined => {
  const { name, operator, prefix } = variable;
  // Most values are text.
  if (typeof value === 'string' && !prefix) return labelled(variable, encode(value, operator));
  const data = toData(value, name);
  // Null is as undefined as undefined (RFC 6570 section 2.3).
  if (data == null) return undefined;
  if (typeof data !== 'object') {
    const text = `${data as string}`;
    return labelled(variable, encode(prefix ? [...text].slice(0, prefix).join('') : text, operator));
  }
  const entries = entriesOf(data);
  const text = expandMembers(entries ?? (data as unknown[]), entries !== undefined, variable);
  // section 2.4.1; without members it is undefined (section 2.3)
  if (prefix && text !== undefined)
    throw unexpected('INVALID_VALUE', `text for {${name}:${prefix}}`, typeof data);
  return text;
};
