/** What is wrong, by the code of the error that says so. */
export class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** RFC 6570 appendix A, line by line. */
const TABLE = {
  '': { first: '', sep: ',', named: false, ifemp: '', reserved: false },
  '+': { first: '', sep: ',', named: false, ifemp: '', reserved: true },
  '.': { first: '.', sep: '.', named: false, ifemp: '', reserved: false },
  '/': { first: '/', sep: '/', named: false, ifemp: '', reserved: false },
  ';': { first: ';', sep: ';', named: true, ifemp: '', reserved: false },
  '?': { first: '?', sep: '&', named: true, ifemp: '=', reserved: false },
  '&': { first: '&', sep: '&', named: true, ifemp: '=', reserved: false },
  '#': { first: '#', sep: ',', named: false, ifemp: '', reserved: true },
} as const;
type Symbols = keyof typeof TABLE;

export interface VarSpec {
  readonly name: string;
  readonly prefix: number | undefined;
  readonly explode: boolean;
}

export interface Expression {
  readonly operator: Symbols;
  readonly specs: readonly VarSpec[];
}

/** Section 2, character by character: literals and expressions. */
export function parseTemplate(template: string): readonly (string | Expression)[] {
  const parts: (string | Expression)[] = [];
  for (let rest = template; rest !== ''; ) {
    if (rest[0] === '{') {
      const end = rest.indexOf('}');
      if (end < 0) throw new Refused('INVALID_TEMPLATE');
      parts.push(parseExpression(rest.slice(1, end)));
      rest = rest.slice(end + 1);
    } else {
      const end = rest.indexOf('{');
      const literal = end < 0 ? rest : rest.slice(0, end);
      if (literal.includes('}')) throw new Refused('INVALID_TEMPLATE');
      parts.push(literal);
      rest = rest.slice(literal.length);
    }
  }
  return parts;
}

function parseExpression(text: string): Expression {
  const operator = text !== '' && text.charAt(0) in TABLE ? (text.charAt(0) as Symbols) : '';
  const specs = text.slice(operator.length).split(',');
  return { operator, specs: specs.map(parseSpec) };
}

function parseSpec(text: string): VarSpec {
  const explode = text.endsWith('*');
  const [name = '', prefix, ...more] = (explode ? text.slice(0, -1) : text).split(':');
  const isName = name
    .split('.')
    .every((word) => word !== '' && /^[A-Za-z0-9_]*$/.test(word.replace(/%[0-9A-Fa-f]{2}/g, 'x')));
  const isPrefix = prefix === undefined || (!explode && /^[1-9][0-9]{0,3}$/.test(prefix));
  if (!isName || !isPrefix || more.length > 0) throw new Refused('INVALID_TEMPLATE');
  return { name, prefix: prefix === undefined ? undefined : Number(prefix), explode };
}

/** Section 3.1 and 3.2.1: every octet, but those of the set. */
export function encode(text: string, reserved: boolean): string {
  const octets = new TextEncoder().encode(text);
  let result = '';
  for (let at = 0; at < octets.length; at++) {
    const character = String.fromCharCode(octets[at] ?? 0);
    const triplet = String.fromCharCode(...octets.slice(at, at + 3));
    if (/[A-Za-z0-9._~-]/.test(character)) result += character;
    else if (reserved && ":/?#[]@!$&'()*+,;=".includes(character)) result += character;
    else if (reserved && /^%[0-9A-Fa-f]{2}$/.test(triplet)) result += character;
    else result += `%${(octets[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return result;
}

/** A value as the RFC knows them: text, a list, or pairs. Undefined also for a list of nothing. */
export type Data =
  | string
  | { readonly list: readonly string[] }
  | { readonly pairs: readonly (readonly [string, string])[] }
  | undefined;

/** Section 3.2.1, sentence by sentence. */
export function expandExpression({ operator, specs }: Expression, dataOf: (name: string) => Data): string {
  const { first, sep } = TABLE[operator];
  const texts = specs.flatMap((spec) => {
    const value = dataOf(spec.name);
    return value === undefined ? [] : [expandSpec(operator, spec, value)];
  });
  return texts.length > 0 ? first + texts.join(sep) : '';
}

/** @throws Refused for a prefix of what is no text (section 2.4.1) */
function expandSpec(
  operator: Symbols,
  { name, prefix, explode }: VarSpec,
  value: Exclude<Data, undefined>,
): string {
  const { sep, named, ifemp, reserved } = TABLE[operator];
  const text = (content: string) => encode(content, reserved);
  const labelled = (label: string, content: string) =>
    content === '' ? label + ifemp : `${label}=${text(content)}`;
  if (typeof value === 'string') {
    const content = prefix === undefined ? value : [...value].slice(0, prefix).join('');
    return named ? labelled(name, content) : text(content);
  }
  if (prefix !== undefined) throw new Refused('INVALID_VALUE');
  if (!explode) {
    const members = 'list' in value ? value.list : value.pairs.flat();
    const joined = members.map(text).join(',');
    return named ? name + (joined === '' ? ifemp : `=${joined}`) : joined;
  }
  if ('list' in value)
    return value.list.map((member) => (named ? labelled(name, member) : text(member))).join(sep);
  // Errata and every implementation encode the names of pairs as their values.
  return value.pairs
    .map(([key, member]) => (named ? labelled(text(key), member) : `${text(key)}=${text(member)}`))
    .join(sep);
}
