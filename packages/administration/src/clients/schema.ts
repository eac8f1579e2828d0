import { clientFields, maxKeys } from '@watchword/protocol';
import { type JsonSchema, jsonSchemaOf } from '../schema/json-schema.ts';
import { chosenIdentifier, issued, type RecordSchema, schemaOfTable } from '../schema/record-schema.ts';
import { confirmedFields } from './client-trust.ts';

/** The changes that end the trust in a client. */
export const trustNote = `If a caller who is not an administrator changes one of ${confirmedFields.join(', ')}, skipConsent, trusted and keepsUserData are set to false.`;

const recordId = { type: 'integer', minimum: 1 };
const { maxScopes, maxLength } = clientFields.otherResourceServers.kind;

export const resourceServerScopesSchema: JsonSchema = {
  type: 'object',
  description: 'A resource server, and the scopes that a client can get there.',
  properties: {
    resourceServerId: { ...recordId, description: 'Record id of the resource server.' },
    scopes: jsonSchemaOf({ type: 'scopes', maxItems: maxScopes, maxLength }),
  },
  required: ['resourceServerId', 'scopes'],
};

const member = { type: 'string' };

const keySetSchema: JsonSchema = {
  type: 'object',
  description:
    'Public keys (RFC 7517 section 5). Of the members of a key those are kept that are described here; one with a private member is refused.',
  properties: {
    keys: {
      type: 'array',
      maxItems: maxKeys,
      items: {
        type: 'object',
        properties: {
          kty: member,
          use: member,
          key_ops: { type: 'array', items: member },
          alg: member,
          kid: member,
          crv: member,
          x: member,
          y: member,
          n: member,
          e: member,
        },
        required: ['kty'],
      },
    },
  },
  required: ['keys'],
};

const assertionIssuerSchema: JsonSchema = {
  type: 'object',
  description:
    'Who signs assertions for a client, and which. Its keys are here by value, at a URL, or, without both, where the setting clients.assertionIssuers says.',
  properties: {
    issuer: { ...member, description: 'iss; spiffe:// and the trust domain if there is none.' },
    audience: { ...member, description: 'aud.' },
    subject: { ...member, description: 'sub, or its beginning and *.' },
    jwks: { $ref: '#/components/schemas/KeySet' },
    jwksUri: { ...member, description: 'An https URL of the keys, or empty.' },
  },
  required: ['issuer', 'audience', 'subject', 'jwks', 'jwksUri'],
};

/** As a request or a configuration has one. */
export const submittedAssertionIssuerSchema: JsonSchema = {
  ...assertionIssuerSchema,
  required: ['issuer', 'audience', 'subject'],
};

/** To what the schema of a client refers. */
export const clientPartSchemas: Readonly<Record<string, JsonSchema>> = {
  AssertionIssuer: assertionIssuerSchema,
  KeySet: keySetSchema,
};

export const clientSchema = {
  ...schemaOfTable('A client application of a resource server.', clientFields),
  ignoresUnknown: true,
};

/** As lists answer one. */
export const listedClientSchema: RecordSchema = {
  ...clientSchema,
  fields: {
    ...clientSchema.fields,
    lastIssued: issued(
      { type: ['integer', 'null'] },
      'Start of the hour in which an access token was last issued to it, in epoch milliseconds; null if none was in the last month. Only in a list that asks for it.',
    ),
  },
};

/** As a request registers one. */
export const newClientSchema = {
  ...clientSchema,
  fields: { ...clientSchema.fields, clientId: chosenIdentifier('client_id', 'clientName') },
};
