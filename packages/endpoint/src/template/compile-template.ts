import { unexpected } from '../endpoint-error.ts';
import { operatorOf } from './operator.ts';
import { encodeReserved } from './percent-encode.ts';
import type { Variable } from './variable.ts';

export type Part = string | Variable;

/** The literals, encoded, and the variables of a template. */
export interface Template {
  readonly parts: readonly Part[];
  /** The names of all variables. */
  readonly names: ReadonlySet<string>;
  /** How many parts the path has; the first part behind it begins with `?` or `#`, and is an expression or a literal. */
  readonly pathLength: number;
}

const OPERATORS = new Map(['', ...'+#./;?&'].map((symbol) => [symbol, operatorOf(symbol)]));

/** Sections 2.3 (varname) and 2.4 (modifier) */
const SPECIFICATION = /^(?!\.)((\.?(\w|%[\da-f]{2}))+)(:([1-9]\d{0,3})|\*)?$/i;

/** The parts of a template, as they are found. */
class Compiler implements Template {
  readonly parts: Part[] = [];
  readonly names = new Set<string>();
  pathLength = -1;

  /** The rest of the template is no path. */
  #endPath(): void {
    if (this.pathLength < 0) this.pathLength = this.parts.length;
  }

  literal(text: string): void {
    if (text.includes('}')) throw unexpected('INVALID_TEMPLATE', 'an RFC 6570 URI template', '}');
    const end = this.pathLength < 0 ? text.search(/[?#]/) : -1;
    if (end > 0) this.parts.push(encodeReserved(text.slice(0, end)));
    if (end >= 0) this.#endPath();
    if (text) this.parts.push(encodeReserved(end > 0 ? text.slice(end) : text));
  }

  /** @param isBeforeSlash whether a slash follows */
  expression(text: string, isBeforeSlash: boolean): void {
    const operator = OPERATORS.get(text.charAt(0)) ?? OPERATORS.get('');
    if (!operator) return;
    const { symbol, first, isNamed } = operator;
    if (first === '?' || first === '#') this.#endPath();
    const isRequired = this.pathLength < 0 && !first;
    const list = symbol ? text.slice(1) : text;
    let isFirst = true;
    // Most expressions are names.
    for (const specification of /^\w+$/.test(list) ? [list] : list.split(',')) {
      const [, name, , , modifier, prefix] = /^\w+$/.test(specification)
        ? [specification, specification]
        : (SPECIFICATION.exec(specification) ?? []);
      if (!name) throw unexpected('INVALID_TEMPLATE', 'an RFC 6570 URI template', `{${text}}`);
      this.names.add(name);
      this.parts.push({
        name,
        operator,
        label: isNamed ? `${name}=` : '',
        prefix: prefix ? +prefix : 0,
        isExploded: modifier === '*',
        isFirst,
        isRequired,
        isBeforeSlash,
      });
      isFirst = false;
    }
  }
}

/**
 * @throws EndpointError `INVALID_TEMPLATE` for what RFC 6570 section 2 does not allow
 */
export const compileTemplate = (template: string): Template => {
  const compiler = new Compiler();
  let at = 0;
  while (at < template.length) {
    const begin = template.indexOf('{', at);
    if (begin < 0) break;
    if (begin > at) compiler.literal(template.slice(at, begin));
    const end = template.indexOf('}', begin);
    if (end < 0) throw unexpected('INVALID_TEMPLATE', 'an RFC 6570 URI template', template.slice(begin));
    at = end + 1;
    compiler.expression(template.slice(begin + 1, end), template[at] === '/');
  }
  compiler.literal(template.slice(at));
  if (compiler.pathLength < 0) compiler.pathLength = compiler.parts.length;
  return compiler;
};
