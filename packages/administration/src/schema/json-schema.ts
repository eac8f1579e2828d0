import {
  type Kind,
  maxAssertionIssuers,
  scopesKind,
  scopeTokenPattern,
  type TextMapKind,
} from '@watchword/protocol';

/** JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const describedScope = { $ref: '#/components/schemas/DescribedScope' };
const resourceServerScopes = { $ref: '#/components/schemas/ResourceServerScopes' };
const assertionIssuer = { $ref: '#/components/schemas/AssertionIssuer' };
const submittedScope = { $ref: '#/components/schemas/SubmittedScope' };

/** Describes the values of a kind as they are answered. */
export function jsonSchemaOf(kind: Kind): JsonSchema {
  switch (kind.type) {
    case 'text': {
      const { type: _, ...limits } = kind;
      return { type: 'string', ...limits };
    }
    case 'choice':
      return { enum: kind.values };
    case 'flag':
      return { type: 'boolean' };
    case 'wholeNumber': {
      const { type: _, ...limits } = kind;
      return { type: 'integer', ...limits };
    }
    case 'texts': {
      const { type: _, values, maxLength, ...limits } = kind;
      const items =
        values === undefined ? { type: 'string', ...(maxLength && { maxLength }) } : { enum: values };
      return { type: 'array', items, ...(limits.maxItems && { uniqueItems: true, ...limits }) };
    }
    case 'scopes': {
      const { maxItems, maxLength } = kind;
      const items = { type: 'string', maxLength, pattern: scopeTokenPattern };
      return { type: 'array', items, uniqueItems: true, maxItems };
    }
    case 'scopeDescriptions':
      return { type: 'array', items: describedScope, maxItems: kind.maxItems };
    case 'resourceServerScopes':
      return { type: 'array', items: resourceServerScopes, maxItems: kind.maxItems };
    case 'keySet':
      return { $ref: '#/components/schemas/KeySet' };
    case 'assertionIssuers':
      return { type: 'array', items: assertionIssuer, maxItems: maxAssertionIssuers };
    case 'textMap':
      return { ...membersOf(kind, 'string'), maxProperties: kind.maxMembers };
  }
}

/** Describes what a request can submit for a value of the kind. */
export function inputSchemaOf(kind: Kind): JsonSchema {
  const schema = jsonSchemaOf(kind);
  // Some clients write numbers for booleans.
  if (kind.type === 'flag') return { anyOf: [schema, { enum: [0, 1] }] };
  if (kind.type !== 'scopeDescriptions') return schema;
  return { ...schema, items: { anyOf: [jsonSchemaOf(scopesKind).items, submittedScope] } };
}

/** Describes what a merge patch can submit (RFC 7396): `null` resets a field, and removes a member of an object. */
export function patchSchemaOf(kind: Kind): JsonSchema {
  const schema = kind.type === 'textMap' ? membersOf(kind, ['string', 'null']) : inputSchemaOf(kind);
  return { anyOf: [schema, { type: 'null' }] };
}

function membersOf({ names, maxLength }: TextMapKind, type: string | readonly string[]): JsonSchema {
  const member = { type, ...(maxLength && { maxLength }) };
  if (names === undefined) return { type: 'object', additionalProperties: member };
  const properties = Object.fromEntries(names.map((name) => [name, member]));
  return { type: 'object', properties, additionalProperties: false };
}

/** A timestamp: epoch milliseconds. */
export const timestampSchema = { type: 'integer', minimum: 0 } as const;

/** The same for one that is not known, or has not been. */
export const nullableTimestampSchema = { ...timestampSchema, type: ['integer', 'null'] } as const;

/** An object that always has all of the properties. */
export function objectSchema(
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return { type: 'object', description, properties, required: Object.keys(properties) };
}
