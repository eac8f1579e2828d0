import { answered, text } from '../schema/kinds.ts';
import { issued, optional, type RecordSchema, readOnly, required } from '../schema/record-schema.ts';
import { descriptiveFields, idKind, nameKind, scopesKind } from './common.ts';

export const resourceServerSchema = {
  name: 'ResourceServer',
  description: 'An API that asks this server about tokens, and the scopes that its clients may be given.',
  fields: {
    id: readOnly(idKind, 'Record id.'),
    name: required(nameKind, 'Its name; unique among those of its owner.'),
    key: readOnly(text(), 'User name of its HTTP Basic credentials; issued on creation.'),
    secret: issued(text(), 'Password of its HTTP Basic credentials; answered on creation and rotation only.'),
    ...descriptiveFields,
    scopes: optional(scopesKind, 'The scopes that its clients may be given.'),
    owner: readOnly(text(), 'Principal name of its owner: whoever created it.'),
    ownerAuthority: readOnly(
      answered({ type: 'string' }),
      'Who vouches for the name of the owner: an authentication module or an identity provider; empty when it was registered at the command line, "system" when the server itself depends on it, "client:" with a record id when a client acted for itself.',
    ),
    resetClients: issued(
      answered({ type: 'array', items: { type: 'string' } }),
      'clientIds of its clients whose skipConsent and trusted this change has set back to false, for the caller is no administrator; absent when there is none.',
    ),
  },
} as const satisfies RecordSchema;
