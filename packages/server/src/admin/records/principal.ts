import type { JsonSchema } from '../schema/json-schema.ts';

const listOfTexts = { type: 'array', items: { type: 'string' } } as const;

/** Who granted a token, as the authentication module has it. */
export const principalSchema: JsonSchema = {
  type: 'object',
  description: 'Who granted the token: exactly what the authentication module returned.',
  properties: {
    name: { type: 'string' },
    roles: listOfTexts,
    groups: listOfTexts,
    adminPrincipal: { type: 'boolean', description: 'An administrator, who sees and changes everything.' },
    attributes: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['name', 'roles', 'groups', 'adminPrincipal', 'attributes'],
};
