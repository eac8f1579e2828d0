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
  let isExpression = false;
  // Each piece is an expression and the literal behind it; the first one is a literal alone.
  for (const piece of template.split('{')) {
    const end = piece.indexOf('}');
    const literal = piece.slice(end + 1);
    if (end < 0 === isExpression || literal.includes('}')) throw malformed(piece);
    if (isExpression) {
      const [symbol = ''] = /^[+#./;?&]/.exec(piece) ?? [];
      const operator = operatorOf(symbol);
      const need = isPath && !operator.first ? (literal[0] === '/' ? 2 : 1) : 0;
      let isFirst = true;
      for (const specification of piece.slice(symbol.length, end).split(',')) {
        const [, name, prefix, star] = SPECIFICATION.exec(specification) ?? [];
        if (!name) throw malformed(`{${piece}`);
        names.add(name);
        parts.push(variableOf(name, operator, +(prefix ?? 0), !!star, isFirst, need));
        isFirst = false;
      }
    }
    if (literal) parts.push(encodeReserved(literal));
    isPath &&= !/[?#]/.test(piece);
    isExpression = true;
  }
  return { parts, names, isPath };
};
