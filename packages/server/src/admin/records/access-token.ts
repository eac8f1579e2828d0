import { nameKind, scopesKind, type WholeNumberKind } from '@watchword/protocol';
import { issued, optional, readOnly, required } from '../schema/record-schema.ts';
import { timestampSchema } from '../schema/timestamp.ts';

const expiresKind = {
  type: 'wholeNumber',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
} as const satisfies WholeNumberKind;

const text = { type: 'string' } as const;

/** What the server sets; the order is that of the answer. */
const setByServer = {
  id: readOnly({ ...text, format: 'uuid' }, 'Id of the token; not the token itself.'),
  resourceOwnerId: readOnly(
    text,
    'Principal name of the resource owner who granted it; the clientId when the client acts for itself.',
  ),
  resourceOwnerAuthority: readOnly(
    text,
    'The identity provider of that name: the same name at another one is another resource owner.',
  ),
  creationDate: readOnly(timestampSchema, 'When it was issued, in epoch milliseconds.'),
  principal: readOnly(
    { $ref: '#/components/schemas/Principal' },
    'The resource owner, as resource servers see it.',
  ),
  token: issued(text, 'The token itself; answered on creation only.'),
};

/** A token that exists: its scopes can be narrowed, its expiry changed. */
export const accessTokenSchema = {
  description:
    'An access token that was issued and not revoked. Expired ones are listed until they are removed.',
  fields: {
    clientId: readOnly(text, 'The client that it was issued to.'),
    scopes: required(scopesKind, 'What it allows; can be narrowed.'),
    expires: required(
      expiresKind,
      'When it expires, in epoch milliseconds; 0 = never. No later than the registration of its client allows, unless the caller is an administrator.',
    ),
    ...setByServer,
  },
};

/** A token as its text. */
export const tokenTextSchema = {
  description: 'The text of an access token.',
  fields: { token: required({ type: 'text', minLength: 1 }, 'The whole access token.') },
};

/** A token that is asked for. */
export const newAccessTokenSchema = {
  description: 'An access token that is asked for.',
  fields: {
    clientId: required(nameKind, 'A client of the caller.'),
    scopes: optional(scopesKind, 'Some of the client; all of them when absent.'),
    expires: optional(
      expiresKind,
      'When it expires, in epoch milliseconds; 0 = never. When absent, the registration of the client determines it.',
    ),
    ...setByServer,
  },
};
