import type { JsonSchema } from '../schema/json-schema.ts';

const listOfTexts = { type: 'array', items: { type: 'string' } } as const;

/** The resource owner of a token, as the authentication module returned it. */
export const principalSchema: JsonSchema = {
  type: 'object',
  description: 'The resource owner of the token: exactly what the authentication module returned.',
  properties: {
    name: { type: 'string' },
    roles: listOfTexts,
    groups: listOfTexts,
    adminPrincipal: { type: 'boolean', description: 'An administrator, who sees and changes everything.' },
    attributes: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['name', 'roles', 'groups', 'adminPrincipal', 'attributes'],
};
