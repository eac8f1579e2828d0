import { recordLimits, vouchedFields } from '@watchword/protocol';
import { answered, flag, text, textMap, texts, wholeNumber } from '../schema/kinds.ts';
import { issued, optional, type RecordSchema, readOnly, required } from '../schema/record-schema.ts';
import { descriptiveFields, idKind, nameKind, scopesKind } from './common.ts';

/** When trust ends. */
export const trustNote = `When a caller who is not an administrator changes one of ${vouchedFields.join(', ')}, skipConsent and trusted fall back to false.`;

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
      `People are not asked for consent, unless it is public and the redirect URI is a loopback or private-use one. Set by administrators; from anybody else it is ignored. ${trustNote}`,
    ),
    trusted: readOnly(
      answered({ type: 'boolean' }),
      `An administrator or the command line on the database created or confirmed it. Errors of its authorization requests then go to it without a page in between. ${trustNote}`,
    ),
    includePrincipal: optional(flag, 'The answer of the implicit grant names the principal.'),
    expireDuration: optional(
      wholeNumber(0, recordLimits.expireDuration),
      'Lifetime of its access tokens in seconds; 0 = no expiry.',
    ),
    attributes: optional(
      textMap({ maxProperties: recordLimits.attributes }),
      `Texts by name, read by authentication modules; ${recordLimits.attributeBytes} bytes together. In a change, null removes a name.`,
    ),
    reset: issued(
      answered({ type: 'array', items: { enum: ['skipConsent', 'trusted'] } }),
      'Fields that this change has set back to false, for the caller is no administrator; absent when there is none.',
    ),
  },
} as const satisfies RecordSchema;
