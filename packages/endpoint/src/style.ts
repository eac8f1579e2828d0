import { encodeUnreserved } from './template/percent-encode.ts';
import { toData } from './template/to-data.ts';
import { entriesOf, expandVariable, type Variable, variableOf } from './template/variable.ts';
import type { ParameterStyle } from './types/options.ts';

/**
 * `ids=1&ids=2`, `ids[]=1`, `ids[0]=1`, `filter[name]=x`: the pairs of a query parameter. The brackets stand as they are, as in
 * the examples of OpenAPI 3.1.0.
 */
export const expandStyled = (
  variable: Variable,
  value: unknown,
  style: ParameterStyle,
): string | undefined => {
  const { name, operator } = variable;
  const { arrays = 'comma', objects = 'form' } = style;
  const data = toData(value, name);
  const isData = typeof data === 'object' && data !== null;
  const pairs = isData && entriesOf(data);
  if (isData && !pairs && arrays === 'repeat')
    return expandVariable({ ...variable, isExploded: true }, value);
  if (!isData || (pairs ? objects === 'form' : arrays === 'comma')) return expandVariable(variable, value);
  const texts = Object.entries(pairs || (data as object)).map(([index, member]) => {
    const [key, inner] = pairs ? (member as [string, unknown]) : [arrays === 'brackets' ? '' : index, member];
    return expandStyled(variableOf(`${name}[${encodeUnreserved(key)}]`, operator), inner, style);
  });
  return texts.filter((text) => text !== undefined).join('&') || undefined;
};
