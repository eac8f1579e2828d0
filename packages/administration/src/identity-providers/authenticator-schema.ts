import { authenticatorKindNames, authenticatorKinds, type FieldTable, readOnce } from '@watchword/protocol';
import { type JsonSchema, nullableTimestampSchema, objectSchema } from '../schema/json-schema.ts';
import {
  inputSchema,
  optional,
  patchSchema,
  type RecordSchema,
  readOnly,
  required,
  type SubmittedField,
  schemaOfTable,
} from '../schema/record-schema.ts';

const text = { type: 'string' } as const;
const nullableText = { type: ['string', 'null'] } as const;

const labelText = 'What users read where they choose how to log in.';
const enabledText = 'Whether users can log in. Sessions and tokens of those who did stay valid.';
const kindText = 'The kind of identity provider.';
const kind = { type: 'choice', values: authenticatorKindNames as [string, ...string[]] } as const;
const enabled: SubmittedField<{ readonly type: 'flag' }> = {
  access: 'optional',
  kind: { type: 'flag' },
  default: true,
  description: `${enabledText} Default: true.`,
};

/** Without its settings, which are those of its kind. */
export const newAuthenticatorFields = {
  description: '',
  fields: {
    name: required(
      { type: 'text', minLength: 1, maxLength: 40 },
      'Its name: lower-case letters, digits and hyphens. It is a part of its addresses and of the identity of its users, never changes, and no other one can ever have it.',
    ),
    kind: required(kind, kindText),
    label: optional({ type: 'text', maxLength: 80 }, `${labelText} Default: the name.`),
    enabled,
  },
};

export const authenticatorChangeFields = {
  description: '',
  fields: {
    name: readOnly(text, 'It never changes.'),
    kind: readOnly(text, 'It never changes.'),
    label: required({ type: 'text', minLength: 1, maxLength: 80 }, labelText),
    enabled,
  },
};

const schemaOfSettings = readOnce((settings: FieldTable): RecordSchema => schemaOfTable('', settings));
const noSettings: FieldTable = {};

/** The settings of a kind. */
export function settingsSchema(name: string): RecordSchema {
  return schemaOfSettings(authenticatorKinds[name]?.settings ?? noSettings);
}

const anySettings = (of: (schema: RecordSchema) => JsonSchema): JsonSchema => {
  const [only, ...others] = authenticatorKindNames.map((name) => of(settingsSchema(name)));
  return others.length === 0 ? (only ?? {}) : { anyOf: [only, ...others] };
};

function withSettings(schema: JsonSchema, settings: JsonSchema): JsonSchema {
  const { properties } = schema as { readonly properties: object };
  return { ...schema, properties: { ...properties, settings } };
}

export const newAuthenticatorSchema = (): JsonSchema =>
  withSettings(inputSchema(newAuthenticatorFields), anySettings(inputSchema));

export const authenticatorChangeSchema = (): JsonSchema =>
  withSettings(patchSchema(authenticatorChangeFields), anySettings(patchSchema));

const certificateSchema: JsonSchema = {
  type: 'object',
  properties: {
    subject: text,
    fingerprint: { ...text, description: 'SHA-256 of the certificate.' },
    validUntil: { type: 'integer', description: 'Its end, in epoch milliseconds.' },
  },
  required: ['subject', 'fingerprint', 'validUntil'],
};

const properties = {
  name: { ...text, description: 'Its name, which is a part of the identity of its users.' },
  origin: { enum: ['configuration', 'database'], description: 'Where it is set up.' },
  kind: { ...nullableText, description: `${kindText} null for one of the configuration.` },
  module: { ...nullableText, description: 'The module of one of the configuration.' },
  setting: { ...nullableText, description: 'Where the configuration names it.' },
  label: { ...text, description: labelText },
  enabled: { type: 'boolean', description: enabledText },
  settings: {
    type: ['object', 'null'],
    description: 'The fields of its kind; null in lists, and for one of the configuration.',
    additionalProperties: { anyOf: [text, { type: 'boolean' }, { type: 'array', items: text }] },
  },
  creationDate: { ...nullableTimestampSchema, description: 'Epoch milliseconds.' },
  modificationDate: { ...nullableTimestampSchema, description: 'Epoch milliseconds.' },
  problems: {
    type: 'array',
    items: text,
    description: 'What is wrong with it on this node, in sentences.',
  },
  addresses: {
    type: 'array',
    items: { type: 'object', properties: { name: text, value: text }, required: ['name', 'value'] },
    description:
      'What the other side must know of this server: entityId, metadata, acs of SAML; callback, backchannelLogout, signedOut of OpenID Connect.',
  },
  identityProviders: {
    type: 'array',
    description: 'The identity providers behind it, some dozens at most.',
    items: {
      type: 'object',
      properties: {
        identityProvider: { ...text, description: 'As users and grants name it.' },
        name: text,
        validUntil: { ...nullableTimestampSchema, description: 'When its description expires.' },
        certificates: { type: 'array', items: certificateSchema },
      },
      required: ['identityProvider', 'name', 'validUntil', 'certificates'],
    },
  },
  total: { type: 'integer', minimum: 0, description: 'Number of all identity providers behind it.' },
} as const;

export const authenticatorSchema: JsonSchema = objectSchema(
  'A way to log in: an authenticator of the configuration, or one that an administrator set up.',
  properties,
);

const tried = {
  received: {
    type: 'object',
    additionalProperties: { type: 'array', items: text },
    description: 'What the identity provider said: values by name.',
  },
  refusal: { ...nullableText, description: 'Why the rules refuse the user.' },
  identityProvider: { ...nullableText, description: 'The identity provider of the user.' },
  name: { ...nullableText, description: 'The name of the user.' },
  stableId: {
    ...nullableText,
    description: 'From which the subject of the user is made; null: from the name.',
  },
  acr: { ...nullableText, description: 'How strong the login is.' },
  roles: { type: 'array', items: text },
  groups: { type: 'array', items: text },
  adminPrincipal: { type: 'boolean', description: 'Whether the user is an administrator.' },
  attributes: { type: 'object', additionalProperties: text },
} as const;

export const testLoginSchema: JsonSchema = {
  type: 'object',
  description: 'What came of a test login, and what the rules made of it.',
  properties: {
    isFinished: { type: 'boolean', description: 'false: nothing came yet, or it was read before.' },
    ...tried,
  },
  required: ['isFinished', ...Object.keys(tried)],
};

export const startedTestSchema: JsonSchema = objectSchema('A test login that waits for a browser.', {
  testId: { ...text, description: 'A secret, with which what came is read.' },
  url: { ...text, description: 'The address at which a browser begins it, once and within ten minutes.' },
});
