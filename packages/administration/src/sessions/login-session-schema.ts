import type { LoginSession } from '@watchword/protocol';
import type { JsonSchema } from '../schema/json-schema.ts';
import { timestampSchema } from '../schema/timestamp.ts';

const properties = {
  id: { type: 'string', format: 'uuid' },
  authenticator: { type: 'string', description: 'The authenticator with which the user logged in.' },
  identityProvider: {
    type: 'string',
    description: 'The identity provider of the name, as in grants and accounts.',
  },
  resourceOwnerId: { type: 'string', description: 'Principal name of the user.' },
  creationDate: { ...timestampSchema, description: 'Time of the login, in epoch milliseconds.' },
  lastUsed: {
    ...timestampSchema,
    description: 'Time of the last use that was stored, in epoch milliseconds: not every use is stored.',
  },
  expires: {
    ...timestampSchema,
    description:
      'When the session ends, in epoch milliseconds. It ends sooner if it is not used for session.idleLifetime.',
  },
} as const;

export const loginSessionSchema: JsonSchema = {
  type: 'object',
  description: 'A login in one browser, which is valid for several clients.',
  properties,
  required: Object.keys(properties),
};

/** The session without its verifier, and without the attributes of the user. */
export function loginSessionRecord({
  id,
  authenticator,
  owner,
  creationDate,
  lastUsed,
  expires,
}: LoginSession) {
  const { identityProvider, principal } = owner;
  const resourceOwnerId = principal.name;
  return { id, authenticator, identityProvider, resourceOwnerId, creationDate, lastUsed, expires };
}
