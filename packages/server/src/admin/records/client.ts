import { recordLimits } from '@watchword/protocol';
import { flag, text, textMap, texts, wholeNumber } from '../schema/kinds.ts';
import { issued, optional, type RecordSchema, readOnly, required } from '../schema/record-schema.ts';
import { descriptiveFields, idKind, nameKind, scopesKind } from './common.ts';

export const clientSchema = {
  name: 'Client',
  description: 'A client application of a resource server.',
  fields: {
    id: readOnly(idKind, 'Record id.'),
    clientId: readOnly(text(), 'Its client_id; issued on creation from clientName.'),
    secret: issued(
      text(),
      'Its client_secret; answered on creation and rotation only. A public client has none.',
    ),
    clientName: required(nameKind, 'Its name, which people and resource servers see.'),
    ...descriptiveFields,
    resourceserver_id: readOnly(idKind, 'Record id of its resource server.'),
    scopes: optional(scopesKind, 'The scopes that it may be given: of those of its resource server.'),
    redirectUris: optional(
      texts(
        { uniqueItems: true, maxItems: recordLimits.redirectUris },
        { maxLength: recordLimits.textLength },
      ),
      'Where browsers are sent back to, compared character by character, but for the port on a loopback host: https, http on a loopback host, or a scheme of its own such as com.example.app.',
    ),
    allowedClientCredentials: optional(
      flag,
      'It may act for itself (client credentials); not for a public client.',
    ),
    allowedImplicitGrant: optional(
      flag,
      'It may use the implicit grant. That makes it public: it has no secret. One that becomes confidential again gets a secret by rotation.',
    ),
    useRefreshTokens: optional(flag, 'It is given refresh tokens.'),
    skipConsent: optional(
      flag,
      'It is trusted: people are not asked. Set by administrators; from anybody else it is ignored.',
    ),
    includePrincipal: optional(flag, 'The answer of the implicit grant names the principal.'),
    expireDuration: optional(
      wholeNumber(0, recordLimits.expireDuration),
      'Lifetime of its access tokens in seconds; 0 = no expiry.',
    ),
    attributes: optional(
      textMap({ maxProperties: recordLimits.attributes }),
      'Texts by name, read by authentication modules. In a change, null removes a name.',
    ),
  },
} as const satisfies RecordSchema;
