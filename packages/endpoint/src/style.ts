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
  const data = toData(value, name);
  const members = data && typeof data === 'object' ? data : undefined;
  const pairs = members && entriesOf(members);
  const way = pairs ? (style.objects ?? 'form') : (style.arrays ?? 'comma');
  if (!members || /form|comma|repeat/.test(way))
    return expandVariable({ ...variable, isExploded: way === 'repeat' }, value);
  return Object.entries(pairs ?? members)
    .map(([index, member]) => {
      const [key, inner] = pairs ? (member as [string, unknown]) : [way === 'brackets' ? '' : index, member];
      return expandStyled(variableOf(`${name}[${encodeUnreserved(key)}]`, operator), inner, style);
    })
    .filter(Boolean)
    .join('&');
};
