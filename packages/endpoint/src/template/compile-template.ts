import { EndpointError } from '../endpoint-error.ts';
import { operatorOf } from './operator.ts';
import { encodeReserved } from './percent-encode.ts';

type Expand = (variables: Readonly<Record<string, unknown>>) => string | undefined;

export interface Template {
  /** The names of all variables. */
  readonly names: ReadonlySet<string>;
  readonly expand: (variables: object) => string;
}

// RFC 6570 section 2.3 (varname) and 2.4 (modifier)
const VARIABLE = /^(?!\.)((?:\.?(?:\w|%[\da-f]{2}))+)(?::([1-9]\d{0,3})|(\*))?$/i;

/**
 * @param isRoute whether variables in the path must have a value: `/repos//x` is never what was meant
 * @throws EndpointError `INVALID_TEMPLATE` for what RFC 6570 section 2 does not allow
 */
export function compileTemplate(template: string, isRoute?: boolean): Template {
  const names = new Set<string>();
  let inPath = isRoute;

  const parts = template.split(/\{([^{}]*)\}/).map((part, index, all) => {
    inPath &&= !/[?#]/.test(part);
    // A literal with a brace in it is as malformed as an expression.
    if (index % 2 === 0 && !/[{}]/.test(part)) return part && encodeReserved(part);
    const head = part.charAt(0);
    const symbol = '+#./;?&'.includes(head) ? head : '';
    const [first, separator, expand] = operatorOf(symbol);
    const isRequired = inPath && !first;
    const endsInSlash = all[index + 1]?.startsWith('/');
    const variables = part
      .slice(symbol.length)
      .split(',')
      .map((specification): Expand => {
        const [, name, prefix, explode] = VARIABLE.exec(specification) ?? [];
        if (!name) throw new EndpointError('INVALID_TEMPLATE', 'an RFC 6570 URI template', part);
        names.add(name);
        return (values) => {
          const value = Object.hasOwn(values, name) ? values[name] : undefined;
          const text = expand(value, name, prefix, explode);
          if (!text && isRequired && (endsInSlash || text === undefined)) {
            throw new EndpointError('MISSING_VARIABLE', `a value for the path variable "${name}"`, text);
          }
          return text;
        };
      });

    return (values: Readonly<Record<string, unknown>>) => {
      let result = '';
      let lead = first;
      for (const variable of variables) {
        const text = variable(values);
        if (text !== undefined) {
          result += lead + text;
          lead = separator;
        }
      }
      return result;
    };
  });

  return {
    names,
    expand(variables) {
      let result = '';
      for (const part of parts) {
        result += typeof part === 'string' ? part : part(variables as Record<string, unknown>);
      }
      return result;
    },
  };
}
