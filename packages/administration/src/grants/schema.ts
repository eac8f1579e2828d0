import type { JsonSchema } from '../schema/json-schema.ts';
import { timestampSchema } from '../schema/timestamp.ts';

const text = { type: 'string' } as const;
const scopes = { type: 'array', items: text } as const;

const properties = {
  id: {
    ...text,
    format: 'uuid',
    description: 'Id of the grant; of a remembered consent that of the grant with which it was given.',
  },
  resourceOwnerId: { ...text, description: 'Principal name of the resource owner.' },
  resourceOwnerAuthority: {
    ...text,
    description:
      'The identity provider of that name: the same name at another one is another resource owner.',
  },
  subject: {
    ...text,
    description: 'Identifies the resource owner: sub of introspection. No other resource owner ever has it.',
  },
  clientId: text,
  clientName: text,
  resourceServerId: { type: 'integer', description: 'Record id of the resource server of the client.' },
  resourceServerName: text,
  scopes: { ...scopes, description: 'Granted scopes that the client still has. Empty of a consent alone.' },
  consentedScopes: {
    ...scopes,
    description:
      'Remembered consent: the client gets these scopes again without a question. Empty when the resource owner will be asked.',
  },
  creationDate: { ...timestampSchema, description: 'When it was granted, in epoch milliseconds.' },
  lastUsed: {
    type: ['integer', 'null'],
    minimum: 0,
    description:
      'When a token was last issued under it, in epoch milliseconds. Requests to resource servers do not change it. null of a consent alone.',
  },
  refreshToken: { type: 'boolean', description: 'Whether the client has a refresh token that it can use.' },
  accessTokens: { type: 'integer', minimum: 0, description: 'Access tokens that have not expired.' },
  principal: {
    $ref: '#/components/schemas/Principal',
    description: 'The resource owner as resource servers see it. For administrators only.',
  },
} as const;

const { principal, ...always } = properties;

export const grantSchema: JsonSchema = {
  type: 'object',
  description:
    'Access of a client on behalf of a resource owner: a grant under which a code or a token can be valid, or a consent that is remembered after its grant has ended.',
  properties,
  required: Object.keys(always),
};

export const endedGrantsSchema: JsonSchema = {
  type: 'object',
  description: 'The numbers of what ended.',
  properties: {
    grants: { type: 'integer', minimum: 0, description: 'Grants with all their tokens.' },
    consents: { type: 'integer', minimum: 0, description: 'Remembered consents.' },
  },
  required: ['grants', 'consents'],
};
