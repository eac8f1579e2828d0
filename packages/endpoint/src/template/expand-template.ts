import { cached } from '../cached.ts';
import { guarded } from '../endpoint-error.ts';
import type { Parameters } from '../types/options.ts';
import { compileTemplate } from './compile-template.ts';
import { expand } from './expand.ts';

export const compile = cached(compileTemplate);

/**
 * Expands a URI template (RFC 6570, level 4): `expandTemplate('/users{/id}{?fields*}', { id: 7, fields: ['a'] })`.
 *
 * Values are text, numbers, booleans, lists, objects, and values with a `toJSON` (dates become ISO 8601);
 * null, undefined, and names that are not own properties of `variables` are left out.
 * @throws EndpointError `INVALID_TEMPLATE`, or `INVALID_VALUE` for a prefix (`{name:3}`) of a list or object.
 */
export const expandTemplate = guarded(
  (template: string, variables: object): string =>
    expand(compile(template).parts, 0, variables as Parameters).text,
);
