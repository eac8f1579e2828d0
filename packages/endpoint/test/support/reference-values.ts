import { type Data, Refused } from './reference-template.ts';

type Pair = readonly [string, unknown];

const isPair = (member: unknown) =>
  Array.isArray(member) && member.length === 2 && typeof member[0] === 'string';

/** Names with values; undefined for a list. */
function pairsOf(data: object): readonly Pair[] | undefined {
  if (!Array.isArray(data)) return Object.entries(data);
  return data.length > 0 && data.every(isPair) ? data : undefined;
}

/** What a value means, by the README's table: data of JSON with pairs as lists. Undefined and null mean nothing. */
function meaningOf(value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (['string', 'number', 'boolean', 'bigint'].includes(typeof value)) return value;
  if (typeof value !== 'object' || ArrayBuffer.isView(value)) throw new Refused('INVALID_VALUE');
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const result = meaningOf(value.toJSON());
    if (result === undefined) throw new Refused('INVALID_VALUE');
    return result;
  }
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return value.valueOf();
  if (value instanceof Map) return [...value].map(([key, member]) => [String(key), member]);
  if (Symbol.iterator in value) return [...(value as Iterable<unknown>)];
  const own: unknown = typeof value.toString === 'function' ? value.toString() : undefined;
  if (typeof own === 'string' && !own.startsWith('[object ')) return own;
  if (Object.prototype.toString.call(value) !== '[object Object]') throw new Refused('INVALID_VALUE');
  return { ...value };
}

/** Data in a URL that is deeper than a member is its JSON. */
function nested(value: unknown): unknown {
  const meaning = meaningOf(value instanceof Map ? Object.fromEntries(value) : value);
  if (Array.isArray(meaning)) return meaning.map((member) => nested(member) ?? null);
  if (typeof meaning !== 'object' || meaning === null) return meaning;
  return Object.fromEntries(
    Object.entries(meaning).map(([key, member]) => [key, member === null ? null : nested(member)]),
  );
}

function memberText(member: unknown): string | undefined {
  const meaning = meaningOf(member);
  if (meaning === undefined) return undefined;
  return typeof meaning === 'object' ? JSON.stringify(nested(member)) : `${meaning as string}`;
}

const hasText = <Member>(members: readonly (readonly [Member, string | undefined])[]) =>
  members.filter((member): member is readonly [Member, string] => member[1] !== undefined);

/** A value as a URI template takes it. */
export function templateData(value: unknown): Data {
  const meaning = meaningOf(value);
  if (meaning === undefined) return undefined;
  if (typeof meaning !== 'object' || meaning === null) return `${meaning as string}`;
  const entries = pairsOf(meaning);
  if (entries === undefined) {
    const members = (meaning as readonly unknown[]).map((member) => [undefined, memberText(member)] as const);
    const list = hasText(members).map(([, text]) => text);
    return list.length > 0 ? { list } : undefined;
  }
  const pairs = hasText(entries.map(([key, member]) => [`${key}`, memberText(member)]));
  return pairs.length > 0 ? { pairs } : undefined;
}

interface Members {
  readonly isList: boolean;
  /** By their names, or by their places in a list. */
  readonly members: readonly Pair[];
}

/** The members of a list or an object as they are. */
export function membersOf(value: unknown): Members | undefined {
  const meaning = meaningOf(value);
  if (typeof meaning !== 'object' || meaning === null) return undefined;
  const pairs = pairsOf(meaning);
  return { isList: pairs === undefined, members: pairs ?? Object.entries(meaning) };
}

/** A value as a JSON body holds it. */
export function jsonData(value: unknown): unknown {
  if (value === undefined || value === null || typeof value === 'bigint') return value;
  if (typeof value === 'function' || typeof value === 'symbol') throw new Refused('INVALID_VALUE');
  if (typeof value !== 'object') return value;
  if ('toJSON' in value) return value;
  if (value instanceof Set) return [...value].map(jsonData);
  if (Array.isArray(value)) return value.map(jsonData);
  if (value instanceof Number || value instanceof String || value instanceof Boolean) return value;
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const isEmptyThing =
    entries.length === 0 && !/ (?:Object|Map)\]$/.test(Object.prototype.toString.call(value));
  if (isEmptyThing) throw new Refused('INVALID_VALUE');
  return Object.fromEntries(
    entries.filter(([, member]) => member !== undefined).map(([key, member]) => [key, jsonData(member)]),
  );
}
