import { unexpected } from '../endpoint-error.ts';
import { operatorOf } from './operator.ts';
import { encodeReserved } from './percent-encode.ts';
import { type Variable, variableOf } from './variable.ts';

export type Part = string | Variable;

/** The literals, encoded, and the variables of a template. */
export interface Template {
  readonly parts: readonly Part[];
  /** The names of all variables. */
  readonly names: ReadonlySet<string>;
  /** Whether it has no query and no fragment. */
  readonly isPath: boolean;
}

/** Sections 2.3 (varname) and 2.4 (modifier) */
const SPECIFICATION = /^(?!\.)((?:\.?(?:\w|%[\da-f]{2}))+)(?::([1-9]\d{0,3})|(\*))?$/i;

const malformed = (text: string) => unexpected('INVALID_TEMPLATE', 'an RFC 6570 template', text);

/**
 * @throws EndpointError `INVALID_TEMPLATE` for what RFC 6570 section 2 does not allow
 */
export const compileTemplate = (template: string): Template => {
  const parts: Part[] = [];
  const names = new Set<string>();
  let isPath = true;
  for (let end = 0, begin = 0; begin >= 0; ) {
    // A literal and an expression, or the last literal
    begin = template.indexOf('{', end);
    const literal = begin < 0 ? template.slice(end) : template.slice(end, begin);
    if (literal.includes('}')) throw malformed(literal);
    if (literal) parts.push(encodeReserved(literal));
    isPath &&= !/[?#]/.test(literal);
    if (begin < 0) break;
    end = template.indexOf('}', begin) + 1;
    const text = template.slice(begin + 1, end - 1);
    const [symbol = ''] = /^[+#./;?&]/.exec(text) ?? [];
    const operator = operatorOf(symbol);
    isPath &&= !/[?#]/.test(symbol);
    let need = 0;
    if (isPath && !operator.first) need = template[end] === '/' ? 2 : 1;
    let isFirst = true;
    for (const specification of text.slice(symbol.length).split(',')) {
      const [, name, prefix, star] = SPECIFICATION.exec(specification) ?? [];
      if (!name || !end) throw malformed(template.slice(begin));
      names.add(name);
      parts.push(variableOf(name, operator, +(prefix ?? 0), !!star, isFirst, need));
      isFirst = false;
    }
  }
  return { parts, names, isPath };
};
