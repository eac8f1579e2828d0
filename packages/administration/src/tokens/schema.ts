import { nameKind, scopesKind, type WholeNumberKind } from '@watchword/protocol';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import { issued, optional, readOnly, required } from '../schema/record-schema.ts';

const expiresKind = {
  type: 'wholeNumber',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
} as const satisfies WholeNumberKind;

const text = { type: 'string' } as const;

const confirmationSchema: JsonSchema = {
  type: 'object',
  properties: {
    jkt: { ...text, description: 'SHA-256 thumbprint of the key of DPoP proofs (RFC 9449, section 6.1).' },
    'x5t#S256': { ...text, description: 'SHA-256 thumbprint of the certificate (RFC 8705, section 3.1).' },
  },
};

/** The fields that the server sets, in the order of the answer. */
const setByServer = {
  id: readOnly(
    text,
    'Id of the token record. It is not the token. Of a JWT it is the claim jti, and a sealed text by which the token is found for a day.',
  ),
  format: readOnly(
    { ...text, enum: ['opaque', 'jwt'] },
    'The format of the token. A jwt (RFC 9068) is in no list, is found by its text, and cannot be changed.',
  ),
  resourceOwnerId: readOnly(
    text,
    'Principal name of the resource owner who granted the token; the clientId if the client acts for itself.',
  ),
  resourceOwnerAuthority: readOnly(
    text,
    'The identity provider of that name. The same name at another identity provider is another resource owner.',
  ),
  part: readOnly(
    { type: 'boolean' },
    'Whether the client acts for itself and belongs to another owner. Then this is what the token gives at resource servers of the caller: nothing else of it is shown or ended.',
  ),
  cnf: issued(
    confirmationSchema,
    'The key or certificate of the client to which the token is bound (RFC 7800). A bearer token has none.',
  ),
  creationDate: readOnly(timestampSchema, 'Time of issue, in epoch milliseconds.'),
  principal: readOnly(
    { $ref: '#/components/schemas/Principal' },
    'The resource owner, as in answers to resource servers.',
  ),
  token: issued(text, 'The token. Only the answer to its creation contains it.'),
};

/** An existing token. Its scopes can be narrowed, and its expiry can be changed. */
export const accessTokenSchema = {
  ignoresUnknown: true,
  description:
    'An access token that was issued and not revoked. Expired tokens are listed until they are purged.',
  fields: {
    clientId: readOnly(text, 'The client to which the token was issued.'),
    scopes: required(scopesKind, 'The granted scopes. A change can only remove scopes.'),
    expires: required(
      expiresKind,
      'Time of expiry, in epoch milliseconds; 0 = never. Unless the caller is an administrator, it cannot be later than the token lifetime of the client permits.',
    ),
    ...setByServer,
  },
};

/** A token as its text. */
export const tokenTextSchema = {
  description: 'The text of an access token.',
  fields: { token: required({ type: 'text', minLength: 1 }, 'The whole access token.') },
};

/** A request for a token. */
export const newAccessTokenSchema = {
  ignoresUnknown: true,
  description: 'A request for an access token.',
  fields: {
    clientId: required(nameKind, 'A client of the caller.'),
    scopes: optional(scopesKind, 'Scopes of the client. Default: all of them.'),
    expires: optional(
      expiresKind,
      'Time of expiry, in epoch milliseconds; 0 = never. Default: the token lifetime of the client.',
    ),
    ...setByServer,
  },
};

const clientIds = (description: string): JsonSchema => ({
  type: 'array',
  items: { type: 'string' },
  description,
});

export const revokedIssueSchema: JsonSchema = objectSchema(
  'What was revoked of what was issued since a time.',
  {
    grants: { type: 'integer', minimum: 0, description: 'Grants with all their tokens.' },
    accessTokens: {
      type: 'integer',
      minimum: 0,
      description: 'Stored access tokens with which clients acted for themselves.',
    },
    clients: clientIds(
      'The clientId of each client that gets JWTs and only acts for itself: all its tokens are revoked.',
    ),
    remaining: clientIds(
      'The clientId of each client that gets JWTs for itself, and acts for users too or is of another owner. Its JWTs for itself stay valid until they expire, or until all its tokens are revoked.',
    ),
  },
);
