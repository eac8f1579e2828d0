import { answered, text, wholeNumber } from '../schema/kinds.ts';
import { issued, optional, type RecordSchema, readOnly, required } from '../schema/record-schema.ts';
import { momentSchema, nameKind, scopesKind } from './common.ts';

const expiresKind = wholeNumber(0, Number.MAX_SAFE_INTEGER);

/** What the server sets; the order is that of the answer. */
const setByServer = {
  id: readOnly(answered({ type: 'string', format: 'uuid' }), 'Id of the token; not the token itself.'),
  resourceOwnerId: readOnly(
    text(),
    'Principal name of who granted it; the clientId when the client acts for itself.',
  ),
  resourceOwnerAuthority: readOnly(
    text(),
    'Who vouches for that name: the same name from another authority is somebody else.',
  ),
  creationDate: readOnly(answered(momentSchema), 'When it was issued, in epoch milliseconds.'),
  principal: readOnly(
    answered({ $ref: '#/components/schemas/Principal' }),
    'Who granted it, as resource servers are told.',
  ),
  token: issued(text(), 'The token itself; answered on creation only.'),
};

/** A token that exists: its scopes may be narrowed, its expiry changed. */
export const accessTokenSchema = {
  name: 'AccessToken',
  description:
    'An access token that was issued and not revoked. Expired ones are listed until they are removed.',
  fields: {
    clientId: readOnly(text(), 'The client that it was issued to.'),
    scopes: required(scopesKind, 'What it allows; may be narrowed.'),
    expires: required(
      expiresKind,
      'When it expires, in epoch milliseconds; 0 = never. No later than the registration of its client says, unless an administrator asks.',
    ),
    ...setByServer,
  },
} as const satisfies RecordSchema;

/** A token that is asked for. */
export const newAccessTokenSchema = {
  name: 'NewAccessToken',
  description: 'An access token that is asked for.',
  fields: {
    clientId: required(nameKind, 'A client of the caller.'),
    scopes: optional(scopesKind, 'Some of the client; all of them when absent.'),
    expires: optional(
      expiresKind,
      'When it expires, in epoch milliseconds; 0 = never. As the registration of the client says when absent.',
    ),
    ...setByServer,
  },
} as const satisfies RecordSchema;
