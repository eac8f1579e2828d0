import {
  clientPartSchemas,
  importedAccountSchema,
  importedFactorsSchema,
  inputSchema,
  type JsonSchema,
  type RecordSchema,
  resourceServerScopesSchema,
  submittedScopeSchema,
} from '@watchword/administration';
import { strictClientSchema, strictResourceServerSchema } from './strict-records.ts';

/** Describes the file of an import: JSON Schema 2020-12. */
export function importSchema(): JsonSchema {
  const client = withMembers(strictClientSchema, {
    clientId: { type: 'string', description: 'Its client_id, which it keeps.' },
    secret: { type: ['string', 'null'], description: 'Its client_secret. A public client has none.' },
  });
  const resourceServer = withMembers(strictResourceServerSchema, {
    key: { type: 'string', description: 'User name of its HTTP Basic credentials, which it keeps.' },
    secret: { type: ['string', 'null'], description: 'Password of its HTTP Basic credentials.' },
    owner: {
      type: ['string', 'null'],
      description: 'Principal name of its record owner. Default: operator.',
    },
    ownerAuthority: {
      type: ['string', 'null'],
      description: 'Identity provider of the owner. Default: none.',
    },
    clients: { type: ['array', 'null'], items: client },
  });
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Resource servers and clients for "watchword import"',
    type: 'object',
    properties: { resourceServers: { type: 'array', items: resourceServer } },
    required: ['resourceServers'],
    additionalProperties: false,
    // The place of the schema in the OpenAPI document, to which its references lead.
    components: {
      schemas: {
        SubmittedScope: submittedScopeSchema,
        ResourceServerScopes: scopesByKeySchema(),
        ...clientPartSchemas,
      },
    },
  };
}

/** A file can name a resource server by its key too, which it has before its record. */
function scopesByKeySchema(): JsonSchema {
  const { description, properties } = resourceServerScopesSchema as InputSchema & JsonSchema;
  const key = { type: 'string', description: 'Key of the resource server, which can be in the file too.' };
  return {
    type: 'object',
    description,
    properties: { key, ...properties },
    required: ['scopes'],
    oneOf: [{ required: ['key'] }, { required: ['resourceServerId'] }],
    additionalProperties: false,
  };
}

/** Describes a line of an import of accounts: JSON Schema 2020-12. */
export function accountLineSchema(): JsonSchema {
  const passwordHash = {
    type: ['string', 'object', 'null'],
    description: 'Hash of the password, as other products export it. Without one the user sets a password.',
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'An account for "watchword import --accounts"',
    ...withMembers(importedAccountSchema, {
      username: { type: 'string', description: 'The name with which the user logs in.' },
      passwordHash,
      factors: importedFactorsSchema,
    }),
  };
}

/** The record as a request submits it, where `null` is the same as an absent field. The members take the place of fields. */
function withMembers(record: RecordSchema, members: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { properties, required = [], ...schema } = inputSchema(record) as InputSchema;
  const fields = Object.entries(properties)
    .filter(([name]) => !(name in members))
    .map(([name, { description, ...field }]) => {
      const isRequired = required.includes(name);
      return [
        name,
        isRequired ? { ...field, description } : { anyOf: [field, { type: 'null' }], description },
      ];
    });
  const [name = ''] = Object.keys(members);
  return {
    ...schema,
    properties: { ...members, ...Object.fromEntries(fields) },
    required: [...new Set([name, ...required])],
  };
}

interface InputSchema extends JsonSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}
