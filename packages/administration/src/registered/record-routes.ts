import { linkNote, pageOf, pagingParameters, searchParameter, totalNote } from '../lists/listing.ts';
import type { AdminHandler, QueryParameter, Route } from '../route.ts';
import { inputSchema, patchSchema, type RecordSchema } from '../schema/record-schema.ts';
import { overlapSchema } from './overlap.ts';

/** What is special about one route of a kind of record. */
type Special = Pick<Route, 'description' | 'errors'>;

/** A kind of registered record, for its routes. */
export interface RegisteredRecord {
  /** As in the ids of its routes, and the name of its schema. */
  readonly name: 'Client' | 'ResourceServer';
  /** In words, with its article. */
  readonly noun: string;
  readonly tag: string;
  /** Of what is submitted. */
  readonly schema: RecordSchema;
  /** The same for a new record. */
  readonly newSchema: RecordSchema;
  /** Another schema of answers, by name, and the parameter that asks for it. */
  readonly otherForm?: { readonly name: string; readonly parameter: QueryParameter } | undefined;
  /** Path of the list. */
  readonly collection: string;
  readonly handlers: Readonly<
    Record<'create' | 'find' | 'replace' | 'change' | 'delete' | 'rotateSecret', AdminHandler>
  >;
  readonly creation: Special;
  readonly replacement: Special;
  readonly change: Special;
  readonly deletion: Special;
  readonly rotation: Special;
}

/** The routes that read and change one record. Create and replace each have two methods. */
export function recordRoutes(of: RegisteredRecord): Route[] {
  const { name, noun, tag, schema, newSchema, collection, handlers } = of;
  const one = `${collection}/{id}`;
  const { record, withSecret, changed } = schemasOf(of);
  const query = of.otherForm && { query: [of.otherForm.parameter] };
  const whole = { schema: inputSchema(schema), isRequired: true };
  const afterChange = {
    status: 200,
    description: 'The record after the change.',
    schema: changed,
    headers: ['ETag'],
  } as const;

  const creation = {
    path: collection,
    tag,
    summary: `Register ${noun}`,
    scope: 'write',
    ...query,
    body: { schema: inputSchema(newSchema), isRequired: true },
    answer: {
      status: 201,
      description: 'The record is registered.',
      schema: withSecret,
      headers: ['ETag', 'Location'],
    },
    handle: handlers.create,
    ...of.creation,
  } as const;

  const edit = { path: one, tag, scope: 'write', isConditional: true } as const;
  const replacement = {
    ...edit,
    summary: `Replace ${noun}`,
    ...query,
    body: whole,
    answer: afterChange,
    handle: handlers.replace,
    ...of.replacement,
  } as const;

  return [
    { id: `create${name}`, method: 'POST', ...creation },
    { id: `put${name}IntoList`, method: 'PUT', ...creation },
    {
      id: `get${name}`,
      method: 'GET',
      path: one,
      tag,
      summary: `Read ${noun}`,
      scope: 'read',
      ...query,
      answer: { status: 200, description: 'The record.', schema: record, headers: ['ETag'] },
      errors: [400, 404],
      handle: handlers.find,
    },
    { id: `replace${name}`, method: 'PUT', ...replacement },
    { id: `post${name}`, method: 'POST', ...replacement },
    {
      id: `change${name}`,
      method: 'PATCH',
      ...edit,
      summary: `Change ${noun}`,
      ...query,
      body: { schema: patchSchema(schema), isRequired: true },
      answer: afterChange,
      handle: handlers.change,
      ...of.change,
    },
    {
      id: `delete${name}`,
      needsFreshLogin: true,
      method: 'DELETE',
      ...edit,
      summary: `Delete ${noun}`,
      answer: { status: 204, description: 'The record is deleted.' },
      handle: handlers.delete,
      ...of.deletion,
    },
    {
      id: `rotate${name}Secret`,
      needsFreshLogin: true,
      method: 'POST',
      path: `${one}/secret`,
      tag,
      summary: `Give ${noun} a new secret`,
      scope: 'write',
      ...query,
      body: { schema: overlapSchema, isRequired: false },
      answer: {
        status: 200,
        description: 'The record with its new secret. No later answer contains the secret.',
        schema: withSecret,
      },
      handle: handlers.rotateSecret,
      ...of.rotation,
    },
  ];
}

/** What every list of records has. @param order says which records are listed, and how they are ordered */
export function listing(
  { name, tag, otherForm }: Pick<RegisteredRecord, 'name' | 'tag' | 'otherForm'>,
  order: string,
  searched: string,
) {
  return {
    method: 'GET',
    tag,
    description: `${order} ${linkNote} ${totalNote}`,
    scope: 'read',
    query: [
      searchParameter(searched),
      ...pagingParameters(),
      ...(otherForm === undefined ? [] : [otherForm.parameter]),
    ],
    answer: pageOf(schemasOf({ name, otherForm }).record, true),
  } as const;
}

/** Schemas of the OpenAPI document. */
export function schemasOf({ name, otherForm }: NamedForms) {
  const schema = (named: string) => ({ $ref: `#/components/schemas/${named}` });
  const answered = (named: string) =>
    otherForm === undefined ? schema(named) : { anyOf: [schema(named), schema(otherForm.name)] };
  return {
    record: answered(name),
    withSecret: answered(`${name}WithSecret`),
    changed: answered(`Changed${name}`),
  };
}

interface NamedForms {
  readonly name: RegisteredRecord['name'];
  readonly otherForm?: RegisteredRecord['otherForm'] | undefined;
}
