import { cached } from './cached.ts';
import { guarded } from './endpoint-error.ts';
import { compileTemplate } from './template/compile-template.ts';

const compile = cached(compileTemplate);

/**
 * Expands a URI template (RFC 6570, level 4): `expandTemplate('/users{/id}{?fields*}', { id: 7, fields: ['a'] })`.
 *
 * Values are text, numbers, booleans, lists, objects, and values with a `toJSON` (dates become ISO 8601);
 * null, undefined, and names that are not own properties of `variables` are left out.
 * @throws EndpointError `INVALID_TEMPLATE`, or `INVALID_VALUE` for a prefix (`{name:3}`) of a list or object.
 */
export const expandTemplate = guarded((template: string, variables: object): string =>
  compile(template)[1](variables),
);
