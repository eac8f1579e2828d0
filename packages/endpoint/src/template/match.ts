import { put } from '../data.ts';
import { EndpointError, guarded, unexpected } from '../endpoint-error.ts';
import type { Part } from './compile-template.ts';
import { compile, expandTemplate } from './expand-template.ts';
import type { Operator } from './operator.ts';
import { encodeReserved } from './percent-encode.ts';
import type { Variable } from './variable.ts';

/** Parts of the template times characters of the URL. */
const MOST_STEPS = 10_000_000;

const isReserved = ({ encode }: Operator): boolean => encode === encodeReserved;

/** The index behind the character or pct-encoded triplet at `index`, if a value of the variable can have it; or 0. */
const unitEnd = ({ operator, isExploded }: Variable, url: string, index: number): number => {
  const character = url.charAt(index);
  if (character === '%') return /^%[\da-f]{2}$/i.test(url.slice(index, index + 3)) ? index + 3 : 0;
  const isPart =
    /[\w.~-]/.test(character) ||
    (isReserved(operator) && /[:/?#[\]@!$&'()*+,;=]/.test(character)) ||
    (isExploded ? character === '=' || character === operator.separator : character === ',');
  return isPart ? index + 1 : 0;
};

/** What stands before the value of a variable. */
const before = (variable: Variable, isFirst: boolean): string => {
  const { first, separator } = variable.operator;
  return (isFirst ? first : separator) + (variable.isExploded ? '' : variable.label);
};

/** Whether `;name` stands for an empty value (RFC 6570 section 3.2.7). */
const hasBareName = ({ operator, isExploded }: Variable): boolean => operator.first === ';' && !isExploded;

/** From which indexes of the URL the rest of the template matches; `then` while no variable of the expression has a value. */
interface Row {
  readonly first: Uint8Array;
  readonly later: Uint8Array;
}

/** The row of a part, from the row of the next one. Each character is looked at a few times only. */
const rowOf = (part: Part, url: string, next: Row): Row => {
  const size = url.length + 1;
  const first = new Uint8Array(size);
  if (typeof part === 'string') {
    for (let at = 0; at + part.length < size; at++) {
      first[at] = next.first[at + part.length] && url.startsWith(part, at) ? 1 : 0;
    }
    return { first, later: first };
  }
  const later = new Uint8Array(size);
  // Whether the rest of a value that begins here, and what follows it, match.
  const value = new Uint8Array(size);
  for (let at = size - 1; at >= 0; at--) {
    const end = unitEnd(part, url, at);
    value[at] = next.later[at] || (end && value[end]) ? 1 : 0;
    // A variable without a value
    first[at] = next.first[at] ?? 0;
    later[at] = next.later[at] ?? 0;
  }
  for (const [row, isFirst] of [
    [first, true],
    [later, false],
  ] as const) {
    const mark = before(part, isFirst);
    const bare = hasBareName(part) ? mark.slice(0, -1) : mark;
    for (let at = 0; at + bare.length < size; at++) {
      const begin = at + mark.length;
      // An equals sign of `;name=` has something behind it.
      const isValue = bare === mark ? value[begin] : value[unitEnd(part, url, begin) || size];
      if (isValue && url.startsWith(mark, at)) row[at] = 1;
      else if (bare !== mark && next.later[at + bare.length] && url.startsWith(bare, at)) row[at] = 1;
    }
  }
  return part.isFirst ? { first, later: first } : { first, later };
};

const toPairs = (pieces: readonly string[], separator: string): [string, string][] => {
  const pairs: [string, string][] = [];
  let begin = '';
  for (const piece of pieces) {
    const [key = '', ...value] = piece.split('=');
    const last = pairs.at(-1);
    // A dot is separator, and part of names and values.
    if (value.length > 0 || separator !== '.') {
      pairs.push([begin + key, value.join('=')]);
      begin = '';
    } else if (last) last[1] += separator + key;
    else begin += key + separator;
  }
  return pairs.map(([key, value]) => [decodeURIComponent(key), decodeURIComponent(value)]);
};

/** The value whose expansion is `text`, without what stands before it. */
const readValue = ({ name, label, operator, isExploded }: Variable, text: string): unknown => {
  if (isReserved(operator)) return text;
  const pieces = text.split(isExploded ? operator.separator : ',');
  if (isExploded && label) {
    const isList = pieces.every((piece) => piece === name || piece.startsWith(`${name}=`));
    if (isList) return pieces.map((piece) => decodeURIComponent(piece.slice(name.length + 1)));
    return toPairs(pieces, operator.separator);
  }
  if (isExploded && text.includes('=')) return toPairs(pieces, operator.separator);
  const values = pieces.map(decodeURIComponent);
  return values.length > 1 || isExploded ? values : values[0];
};

/** Where a value ends that begins at `begin`: as soon as the rest matches, but not within a member of a list; or -1. */
const valueEnd = (variable: Variable, url: string, begin: number, later: Uint8Array): number => {
  let last = -1;
  for (let at = begin, next = 0; ; at = next) {
    next = unitEnd(variable, url, at);
    if (later[at] && (at > begin || !hasBareName(variable))) {
      last = at;
      if (!variable.isExploded || url[at] === variable.operator.separator) return at;
    }
    if (!next) return last;
  }
};

/** The variables, of which the rows say that they are there. Of several ways to read a URL, the shortest values come first. */
const read = (parts: readonly Part[], url: string, rows: readonly Row[]): Record<string, unknown> => {
  const variables: Record<string, unknown> = {};
  let at = 0;
  let isFirst = true;
  parts.forEach((part, index) => {
    if (typeof part === 'string') {
      at += part.length;
      return;
    }
    if (part.isFirst) isFirst = true;
    const { later } = rows[index + 1] as Row;
    const mark = before(part, isFirst);
    let end = url.startsWith(mark, at) ? valueEnd(part, url, at + mark.length, later) : -1;
    let value = end < 0 ? undefined : readValue(part, url.slice(at + mark.length, end));
    if (end < 0 && hasBareName(part) && url.startsWith(mark.slice(0, -1), at)) {
      end = at + mark.length - 1;
      value = later[end] ? '' : undefined;
    }
    if (value === undefined) return;
    put(variables, part.name, value);
    at = end;
    isFirst = false;
  });
  return variables;
};

const irreversible = (reason: string) => new EndpointError('IRREVERSIBLE_TEMPLATE', reason);

/** @throws EndpointError `IRREVERSIBLE_TEMPLATE`, with the reason */
const checkReversible = (parts: readonly Part[], url: string): void => {
  const seen = new Set<string>();
  // Variables whose values can have what follows them, since the last literal
  let open: Variable[] = [];
  let last: Variable | undefined;
  for (const part of parts) {
    if (typeof part === 'string') {
      const hidden = open.find((variable) => unitEnd(variable, part, 0) > 0);
      if (hidden) throw irreversible(`${part} after "${hidden.name}" can be a part of its value`);
      open = [];
      last = undefined;
      continue;
    }
    const { name, prefix, label, operator, isExploded, isFirst } = part;
    if (prefix) throw irreversible(`{${name}:${prefix}} has only the beginning of its value`);
    if (isExploded && !operator.first && !isReserved(operator))
      throw irreversible(`{${name}*} can be a list or pairs`);
    if (seen.has(name)) throw irreversible(`"${name}" is there twice`);
    const mark = isFirst ? operator.first : operator.separator;
    const isList = isExploded && !label;
    const isOpen = isFirst ? !mark || (isList && mark === '.') : isList;
    // Members of a list are read as they come, so that nothing may look like one more of them.
    const isMember = (variable: Variable) =>
      (isExploded || variable.isExploded) && unitEnd(variable, mark, 0) > 0;
    const hidden = (isOpen ? last : undefined) ?? open.find(isMember);
    if (hidden) throw irreversible(`the end of "${hidden.name}" before "${name}" cannot be seen`);
    seen.add(name);
    if (isExploded || isReserved(operator)) open.push(part);
    last = part;
  }
  if (parts.length * url.length > MOST_STEPS) throw irreversible('template and URL are too long');
};

/**
 * The variables of a URL: `match('/users/{id}{?fields*}', '/users/7?fields=name')` is `{ id: '7', fields: ['name'] }`, and
 * undefined where no variables make the URL of the template. What it returns expands to the URL again, to the letter. Values are
 * text, lists of text, and pairs of text for what was an object. Its time grows with the length of the URL, and no faster.
 * @throws EndpointError `IRREVERSIBLE_TEMPLATE` for a template with a prefix (`{name:3}`), with
 * `{name*}`, with nothing between two variables (`{a}{b}`), with a list beside what can be a member of it (`{/a*}{/b}`), or with a
 * variable that is there twice;
 * `INVALID_TEMPLATE`
 */
export const match = guarded((template: string, url: string): Record<string, unknown> | undefined => {
  if (typeof url !== 'string') throw unexpected('INVALID_VALUE', 'a URL', url);
  const { parts } = compile(template);
  checkReversible(parts, url);
  const end = new Uint8Array(url.length + 1);
  end[url.length] = 1;
  let row: Row = { first: end, later: end };
  const rows = [row];
  for (let index = parts.length - 1; index >= 0; index--) {
    row = rowOf(parts[index] as Part, url, row);
    rows.push(row);
  }
  rows.reverse();
  if (!row.first[0]) return undefined;
  try {
    const variables = read(parts, url, rows);
    return expandTemplate(template, variables) === url ? variables : undefined;
  } catch {
    // Bytes that are no UTF-8
    return undefined;
  }
});
