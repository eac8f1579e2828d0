import {
  resourceServerFields,
  type ScopeDescription,
  scopeDescriptionsKind,
  scopesOf,
} from '@watchword/protocol';
import type { QueryParameter } from '../route.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import {
  answerSchema,
  chosenIdentifier,
  optional,
  type Submitted,
  schemaOfTable,
} from '../schema/record-schema.ts';
import type { ResourceServerRegistration } from './resource-server-rules.ts';

export const resourceServerSchema = schemaOfTable(
  'An API that validates tokens at this server, and the scopes that its clients can get.',
  resourceServerFields,
);

const { scopes } = resourceServerSchema.fields;

/** As requests submit it: with descriptions of scopes. */
export const submittedResourceServerSchema = {
  ignoresUnknown: true,
  description: resourceServerSchema.description,
  fields: { ...resourceServerSchema.fields, scopes: optional(scopeDescriptionsKind, scopes.description) },
};

/** As a request registers one. */
export const newResourceServerSchema = {
  ...submittedResourceServerSchema,
  fields: { ...submittedResourceServerSchema.fields, key: chosenIdentifier('key', 'name') },
};

type Given = Partial<Submitted<(typeof submittedResourceServerSchema)['fields']>>;

/** The fields as they are stored: names of scopes, and their descriptions. */
export function storedFields(
  { scopes, ...given }: Given,
  before: readonly ScopeDescription[],
): Partial<ResourceServerRegistration> {
  return scopes === undefined ? given : { ...given, ...scopesOf(scopes, before) };
}

/** As it is answered to a request with `scopes=described`. */
export const describedResourceServerSchema: JsonSchema = answerSchema(submittedResourceServerSchema, {
  secret: 'sometimes',
  weakSecret: 'sometimes',
  resetClients: 'sometimes',
});

export const scopesParameter: QueryParameter = {
  name: 'scopes',
  description:
    'described: each scope of the answer is an object with its description, and not its name alone.',
  schema: { enum: ['described'] },
};

const name = { type: 'string', description: 'The scope itself.' };
const { maxLength, maxLanguages } = scopeDescriptionsKind;
const text = { type: 'string', maxLength } as const;
const texts = { type: 'object', additionalProperties: text, maxProperties: maxLanguages } as const;
const textNote = 'For users whose language has no text of its own.';
const textsNote = 'Texts by language tag (BCP 47), such as nl or pt-BR.';

export const describedScopeSchema: JsonSchema = {
  type: 'object',
  description: 'A scope, and what it lets a client do, in words for users.',
  properties: {
    name,
    description: { ...text, description: textNote },
    descriptions: { ...texts, description: textsNote },
  },
  required: ['name'],
};

export const submittedScopeSchema: JsonSchema = {
  type: 'object',
  description: 'A scope in a request. A member that is null is the same as one that is left out.',
  properties: {
    name,
    description: { anyOf: [text, { type: 'null' }], description: textNote },
    descriptions: { anyOf: [texts, { type: 'null' }], description: textsNote },
  },
  required: ['name'],
  additionalProperties: false,
};
