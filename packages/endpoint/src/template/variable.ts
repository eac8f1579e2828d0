import { unexpected } from '../endpoint-error.ts';
import type { Operator } from './operator.ts';
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
  label: /[;?&]/.test(operator.first) ? `${name}=` : '',
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

/** What lies deeper than RFC 6570 foresees goes as JSON. */
const toJson = (value: unknown, name: string): string =>
  // Of the holder's property, for the value has been through `toJSON` already, which bytes of Node.js have.
  JSON.stringify(value, function (this: Readonly<Record<string, unknown>>, key) {
    const member = this[key];
    return toData(member instanceof Map ? Object.fromEntries(member) : member, name);
  });

/** The encoded text of a member; undefined where it has none. */
const memberText = (member: unknown, { name, operator }: Variable): string | undefined => {
  const data = toData(member, name);
  if (data == null) return undefined;
  return operator.encode(typeof data === 'object' ? toJson(member, name) : `${data as string}`);
};

/** `name=text`; `;name` of nothing has no equals sign (RFC 6570 section 3.2.7). */
const labelled = (variable: Variable, text: string, name = variable.name, label = variable.label): string =>
  text || variable.operator.first !== ';' ? label + text : name;

/**
 * RFC 6570 section 3.2.1 for one variable; undefined where the value is, or has no members.
 * @throws EndpointError `INVALID_VALUE`
 */
export const expandVariable = (variable: Variable, value: unknown): string | undefined => {
  const { name, operator, prefix, isExploded } = variable;
  // Most values are text.
  if (typeof value === 'string' && !prefix) return labelled(variable, operator.encode(value));
  const data = toData(value, name);
  // Null is as undefined as undefined (RFC 6570 section 2.3).
  if (data == null) return undefined;
  if (typeof data !== 'object') {
    const text = `${data as string}`;
    return labelled(variable, operator.encode(prefix ? [...text].slice(0, prefix).join('') : text));
  }
  const entries = entriesOf(data);
  let result: string | undefined;
  for (const member of entries ?? (data as unknown[])) {
    let text = memberText(entries ? (member as Pair)[1] : member, variable);
    if (text === undefined) continue;
    // section 2.4.1
    if (prefix) throw unexpected('INVALID_VALUE', `text for {${name}:${prefix}}`, typeof data);
    if (entries) {
      const key = operator.encode((member as Pair)[0]);
      text = isExploded ? labelled(variable, text, key, `${key}=`) : `${key},${text}`;
    } else if (isExploded) text = labelled(variable, text);
    result = result === undefined ? text : result + (isExploded ? operator.separator : ',') + text;
  }
  // Without members it is undefined (section 2.3)
  return result === undefined || isExploded ? result : labelled(variable, result);
};
