import {
  defaultOf,
  descriptionOf,
  emptyOf,
  type Field,
  type FieldTable,
  hasWireName,
  isSubmitted,
  type Kind,
  readOnce,
  type SubmittedFields,
  type TextKind,
  type ValueOf,
} from '@watchword/protocol';
import { inputSchemaOf, type JsonSchema, jsonSchemaOf, patchSchemaOf } from './json-schema.ts';

/** A record of the administration interface, in requests and answers. */
export interface RecordSchema<Fields extends SchemaFields = SchemaFields> {
  readonly description: string;
  /** By name, in the order in which they are described. */
  readonly fields: Fields;
  /** Whether a request can have more members, which are ignored. A misspelled field is an error all the same. */
  readonly ignoresUnknown?: boolean;
}

export type SchemaFields = Readonly<Record<string, SchemaField>>;
type SchemaField = SubmittedField | AnsweredField;

/** A field that a request sets. `required`: the request must name it. */
export interface SubmittedField<K extends Kind = Kind> {
  readonly access: 'required' | 'optional';
  readonly kind: K;
  /** The value if the request does not name the field, or if its value is malformed. */
  readonly default: ValueOf<Kind>;
  readonly description: string;
}

/**
 * A field that the server sets. A submitted value is ignored. `issued`: only the answer to the request that caused the
 * value contains it.
 */
export interface AnsweredField {
  readonly access: 'readOnly' | 'issued';
  readonly schema: JsonSchema;
  readonly description: string;
}

/** The fields of a record that a request sets. */
export type Submitted<Fields extends SchemaFields> = {
  readonly [Name in keyof Fields as Fields[Name] extends SubmittedField
    ? Name
    : never]: Fields[Name] extends {
    readonly kind: infer K extends Kind;
  }
    ? ValueOf<K>
    : never;
};

export function required<K extends Kind>(kind: K, description: string): SubmittedField<K> {
  return { access: 'required', kind, default: emptyOf(kind), description };
}

export function optional<K extends Kind>(kind: K, description: string): SubmittedField<K> {
  return { access: 'optional', kind, default: emptyOf(kind), description };
}

/** The identifier of a new record. @param name what it is called @param source the field that it is made from */
export function chosenIdentifier(name: string, source: string): SubmittedField<TextKind> {
  return optional(
    { type: 'text', maxLength: 255 },
    `Its ${name}, if the caller chooses it: a-z, 0-9, _ and -, with a letter or digit at both ends, which no other record has. Left out or empty, it is made from ${source}. It never changes.`,
  );
}

export function readOnly(schema: JsonSchema, description: string): AnsweredField {
  return { access: 'readOnly', schema, description };
}

export function issued(schema: JsonSchema, description: string): AnsweredField {
  return { access: 'issued', schema, description };
}

/** The schema of a record whose fields a table of the protocol describes. */
export function schemaOfTable<Table extends FieldTable>(
  description: string,
  table: Table,
): RecordSchema<TableFields<Table>> {
  const fields = Object.entries(table)
    .filter(([, field]) => hasWireName(field))
    .map(([name, field]) => [field.wireName ?? name, schemaField(field)]);
  return { description, fields: Object.fromEntries(fields) };
}

type TableFields<Table extends FieldTable> = {
  readonly [Name in keyof SubmittedFields<Table> & keyof Table as Table[Name] extends {
    readonly partOf: string;
  }
    ? never
    : Name]: SubmittedField<Table[Name]['kind']>;
};

function schemaField(field: Field): SchemaField {
  const { kind, setBy, isRequired } = field;
  const description = descriptionOf(field);
  if (isSubmitted(field)) {
    return { access: isRequired ? 'required' : 'optional', kind, default: defaultOf(field), description };
  }
  return { access: setBy === 'issued' ? 'issued' : 'readOnly', schema: jsonSchemaOf(kind), description };
}

/** The record as it is answered. @param issued the issued fields that this answer has */
export function answerSchema(
  { description, fields }: RecordSchema,
  issued: Readonly<Record<string, 'always' | 'sometimes'>> = {},
): JsonSchema {
  const shown = Object.entries(fields).filter(
    ([name, { access }]) => access !== 'issued' || issued[name] !== undefined,
  );
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(shown.map(([name, field]) => [name, answeredSchema(field)])),
    required: shown
      .filter(([name, { access }]) => access !== 'issued' || issued[name] === 'always')
      .map(([name]) => name),
  };
}

function answeredSchema(field: SchemaField): JsonSchema {
  const { description } = field;
  return isSubmittedField(field)
    ? { ...jsonSchemaOf(field.kind), description }
    : { ...field.schema, description, readOnly: true };
}

/** The body that sets the whole record. */
export const inputSchema = readOnce((schema: RecordSchema): JsonSchema => {
  const required = Object.entries(schema.fields)
    .filter(([, { access }]) => access === 'required')
    .map(([name]) => name);
  return bodySchema(schema, inputSchemaOf, required);
});

/** The body that changes a part of the record: a merge patch (RFC 7396). */
export const patchSchema = readOnce((schema: RecordSchema) => bodySchema(schema, patchSchemaOf));

function bodySchema(
  { fields, ignoresUnknown = false }: RecordSchema,
  schemaOf: (kind: Kind) => JsonSchema,
  required: readonly string[] = [],
): JsonSchema {
  const submitted = submittedFieldsOf(fields);
  const ignored = Object.entries(fields).filter(([, field]) => !isSubmittedField(field));
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...submitted.map(([name, { kind, description }]) => [name, { ...schemaOf(kind), description }]),
      ...ignored.map(([name]) => [name, { description: 'Ignored: the server sets it.' }]),
    ]),
    ...(required.length > 0 && { required }),
    additionalProperties: ignoresUnknown,
  };
}

/** The fields that a request sets, in the order of the schema. */
export const submittedFieldsOf = readOnce(
  (fields: SchemaFields): readonly (readonly [name: string, field: SubmittedField])[] =>
    Object.entries(fields).flatMap(([name, field]) =>
      isSubmittedField(field) ? [[name, field] as const] : [],
    ),
);

export function isSubmittedField(field: SchemaField): field is SubmittedField {
  return field.access === 'required' || field.access === 'optional';
}
