import { encodeUnreserved } from './template/percent-encode.ts';
import { toData } from './template/to-data.ts';
import { entriesOf, expandVariable, type Variable, variableOf } from './template/variable.ts';
import type { ParameterStyle } from './types.ts';

/**
 * `ids=1&ids=2`, `ids[]=1`, `ids[0]=1`, `filter[name]=x`: the pairs of a query parameter. The brackets stand as they are, as in
 * the examples of OpenAPI 3.1.0.
 */
export const expandStyled = (
  variable: Variable,
  value: unknown,
  style: ParameterStyle,
): string | undefined => {
  const data = toData(value, variable.name);
  if (typeof data !== 'object' || !data) return expandVariable(variable, value);
  const { arrays = 'comma', objects = 'form' } = style;
  const entries = entriesOf(data);
  if (entries ? objects === 'form' : arrays === 'comma') return expandVariable(variable, value);
  const texts = (entries ?? (data as readonly unknown[])).map((member, index) => {
    let mark = arrays === 'repeat' ? '' : `[${arrays === 'brackets' ? '' : index}]`;
    if (entries) mark = `[${encodeUnreserved((member as [string])[0])}]`;
    const inner = variableOf(variable.name + mark, variable.operator);
    // What is deeper in a repeated list is JSON, as it has no name of its own.
    if (!mark) return expandVariable(inner, [member]);
    return expandStyled(inner, entries ? (member as [string, unknown])[1] : member, style);
  });
  return texts.filter((text) => text !== undefined).join('&') || undefined;
};
