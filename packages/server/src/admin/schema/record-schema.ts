import type { JsonSchema, Kind } from './kinds.ts';

/** A field of a record: the one place that says of which kind it is, who sets it, and what it means. */
export interface Field<Value, Access extends FieldAccess = FieldAccess> {
  readonly kind: Kind<Value>;
  readonly access: Access;
  readonly description: string;
}

/**
 * `required`: has to be submitted. `optional`: has a value of its own when it is not. `readOnly`: set by the server;
 * what is submitted is ignored. `issued`: the same, and answered only to whoever brought it about.
 */
export type FieldAccess = 'required' | 'optional' | 'readOnly' | 'issued';

export type Fields = Readonly<Record<string, Field<never> | Field<unknown>>>;

export interface RecordSchema<Of extends Fields = Fields> {
  /** Its name among the schemas of the OpenAPI document. */
  readonly name: string;
  readonly description: string;
  readonly fields: Of;
}

/** What may be submitted of a record. */
export type Submitted<Schema extends RecordSchema> = {
  readonly [Name in SubmittedName<Schema['fields']>]: Schema['fields'][Name] extends Field<infer Value>
    ? Value
    : never;
};

type SubmittedName<Of extends Fields> = {
  [Name in keyof Of]: Of[Name]['access'] extends 'required' | 'optional' ? Name : never;
}[keyof Of];

export function required<Value>(kind: Kind<Value>, description: string): Field<Value, 'required'> {
  return { kind, access: 'required', description };
}

export function optional<Value>(kind: Kind<Value>, description: string): Field<Value, 'optional'> {
  return { kind, access: 'optional', description };
}

export function readOnly<Value>(kind: Kind<Value>, description: string): Field<Value, 'readOnly'> {
  return { kind, access: 'readOnly', description };
}

export function issued<Value>(kind: Kind<Value>, description: string): Field<Value, 'issued'> {
  return { kind, access: 'issued', description };
}

/** The record as it is answered. @param issued the fields that this answer has beside it */
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
    properties: Object.fromEntries(
      shown.map(([name, field]) => [
        name,
        {
          ...field.kind.schema,
          description: field.description,
          ...((field.access === 'readOnly' || field.access === 'issued') && { readOnly: true }),
        },
      ]),
    ),
    required: shown
      .filter(([name, { access }]) => access !== 'issued' || issued[name] === 'always')
      .map(([name]) => name),
  };
}

/** What is taken: the whole record, or with `partial` any part of it, where `null` stands for "as if absent". */
export function inputSchema({ fields }: RecordSchema, partial = false): JsonSchema {
  const entries = Object.entries(fields);
  const submitted = entries.filter(([, { access }]) => access === 'required' || access === 'optional');
  const ignored = entries.filter(([, { access }]) => access === 'readOnly' || access === 'issued');
  const taken = (schema: JsonSchema) => (partial ? { anyOf: [schema, { type: 'null' }] } : schema);
  const needed = submitted.filter(([, { access }]) => access === 'required').map(([name]) => name);
  return {
    type: 'object',
    properties: Object.fromEntries([
      ...submitted.map(([name, { kind, description }]) => [
        name,
        { ...taken(kind.inputSchema ?? kind.schema), description },
      ]),
      ...ignored.map(([name]) => [name, { description: 'Ignored: the server sets it.' }]),
    ]),
    ...(!partial && needed.length > 0 && { required: needed }),
    additionalProperties: false,
  };
}
