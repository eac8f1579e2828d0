import { isOwn } from '../data.ts';
import { EndpointError } from '../endpoint-error.ts';
import { operatorOf } from './operator.ts';
import { encodeReserved } from './percent-encode.ts';

type Variables = Readonly<Record<string, unknown>>;

/** One variable with what stands before it; undefined where it has no value. */
type Expand = (values: Variables, isFirst: boolean) => string | undefined;

/** The names of all variables, and what puts their values in. */
export type Template = readonly [names: ReadonlySet<string>, expand: (variables: object) => string];

/**
 * @param inPath whether variables must have a value up to the query or fragment: `/repos//x` is never what was meant
 * @throws EndpointError `INVALID_TEMPLATE` for what RFC 6570 section 2 does not allow
 */
export const compileTemplate = (template: string, inPath?: boolean): Template => {
  const names = new Set<string>();
  const parts: (string | Expand)[] = [];
  // An expression and the slash behind it, a literal, or a brace that is neither
  const tokens = template.matchAll(/\{([+#./;?&]?)([^{}]*)\}(?=(\/?))|[^{}]+|./g);
  for (const [token, symbol = '', list = '', slash] of tokens) {
    inPath &&= !/[?#]/.test(token);
    if (!/[{}]/.test(token)) {
      parts.push(encodeReserved(token));
      continue;
    }
    // An empty literal, so that the first variable behind it knows that it is.
    parts.push('');
    const [first, separator, expand] = operatorOf(symbol);
    const isRequired = inPath && !first;
    for (const specification of list.split(',')) {
      // section 2.3 (varname) and 2.4 (modifier)
      const [, name, , , explode, prefix] =
        /^(?!\.)((\.?(\w|%[\da-f]{2}))+)(:([1-9]\d{0,3})|\*)?$/i.exec(specification) ?? [];
      if (!name) throw new EndpointError('INVALID_TEMPLATE', 'an RFC 6570 URI template', token);
      names.add(name);
      parts.push((values, isFirst) => {
        const text = expand(isOwn.call(values, name) ? values[name] : undefined, name, prefix, explode);
        if (!text && isRequired && (slash || text === undefined)) {
          throw new EndpointError('MISSING_VARIABLE', `a value for variable "${name}"`, text);
        }
        return text === undefined ? text : (isFirst ? first : separator) + text;
      });
    }
  }
  return [
    names,
    (values) => {
      let result = '';
      let isFirst = true;
      for (const part of parts) {
        const isLiteral = typeof part === 'string';
        const text = isLiteral ? part : part(values as Variables, isFirst);
        if (text !== undefined) {
          result += text;
          isFirst = isLiteral;
        }
      }
      return result;
    },
  ];
};
