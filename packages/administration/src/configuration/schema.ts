import { clientFields } from '@watchword/protocol';
import { clientPartSchemas, clientSchema, submittedAssertionIssuerSchema } from '../clients/schema.ts';
import { submittedResourceServerSchema, submittedScopeSchema } from '../resource-servers/schema.ts';
import { type JsonSchema, jsonSchemaOf } from '../schema/json-schema.ts';
import { inputSchema, optional, type RecordSchema, required } from '../schema/record-schema.ts';

/** Of the documents that this release reads. */
export const schemaVersion = 1;

const text = { type: 'text' } as const;
const secretNote =
  'Where the secret comes from: env:NAME, a variable of the environment, or file:PATH. The secret itself is refused. Left out, a record that exists keeps its secret.';

/** A resource server of a configuration, after its secret was resolved. */
export const configuredResourceServerSchema = {
  ...submittedResourceServerSchema,
  ignoresUnknown: false,
  fields: {
    ...submittedResourceServerSchema.fields,
    key: required(text, 'User name of its HTTP Basic credentials. It identifies the record.'),
    secret: optional(text, secretNote),
    owner: optional(
      text,
      'Principal name of its record owner. Default: operator; a record that exists keeps its owner. Set by commands on the database alone.',
    ),
    ownerAuthority: optional(text, 'Identity provider of the owner. Default: none.'),
  },
} as const satisfies RecordSchema;

const { otherResourceServers: _, ...fieldsOfClient } = clientSchema.fields;

/** A client of a configuration, without its other resource servers, which it names by keys. */
export const configuredClientSchema = {
  ...clientSchema,
  ignoresUnknown: false,
  fields: {
    ...fieldsOfClient,
    clientId: required(text, 'Its client_id. It identifies the record.'),
    resourceServer: required(
      text,
      'Key of its resource server, its home, which never changes. It can be one that no configuration manages.',
    ),
    secret: optional(text, secretNote),
  },
} as const satisfies RecordSchema;

const { maxItems, maxScopes, maxLength } = clientFields.otherResourceServers.kind;

/** Describes the file of a configuration, for editors: JSON Schema 2020-12. */
export function configurationSchema(): JsonSchema {
  const client = inputSchema(configuredClientSchema) as { readonly properties: object };
  const otherResourceServers = {
    type: 'array',
    description:
      'The other resource servers that it can use, by their keys, and the scopes that it can get at each.',
    maxItems,
    items: {
      type: 'object',
      properties: {
        key: { type: 'string', description: 'Key of the resource server, in this file or not.' },
        scopes: jsonSchemaOf({ type: 'scopes', maxItems: maxScopes, maxLength }),
      },
      required: ['key', 'scopes'],
      additionalProperties: false,
    },
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Resource servers and clients for "watchword apply"',
    type: 'object',
    properties: {
      version: { const: schemaVersion, description: 'Version of this schema.' },
      name: {
        type: 'string',
        pattern: '^[a-z0-9]([a-z0-9_.-]{0,61}[a-z0-9])?$',
        description:
          'Name of the configuration, by which its records are known as its own. Do not change it.',
      },
      resourceServers: {
        type: 'array',
        items: secretByReference(inputSchema(configuredResourceServerSchema)),
      },
      clients: {
        type: 'array',
        items: secretByReference({ ...client, properties: { ...client.properties, otherResourceServers } }),
      },
    },
    required: ['version', 'name'],
    additionalProperties: false,
    // The place of the schema in the OpenAPI document, to which its references lead.
    components: {
      schemas: {
        ...{ SubmittedScope: submittedScopeSchema, ...clientPartSchemas },
        AssertionIssuer: submittedAssertionIssuerSchema,
      },
    },
  };
}

function secretByReference({ properties, ...schema }: JsonSchema): JsonSchema {
  const secret = {
    type: 'string',
    pattern: '^(env:[A-Za-z_][A-Za-z0-9_]*|file:.+)$',
    description: secretNote,
  };
  return { ...schema, properties: { ...(properties as object), secret }, additionalProperties: false };
}
