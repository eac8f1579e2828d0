import { type MalformedField, OAuthError } from '@watchword/protocol';
import { isObject } from './kinds.ts';
import type { RecordSchema, Submitted } from './record-schema.ts';

/** What was submitted of a record, as far as it is of the right kind. */
export interface ReadRecord<Schema extends RecordSchema> {
  /** Only what was submitted. */
  readonly values: Partial<Submitted<Schema>>;
  /** What is absent or of another kind, as the schema says it is then. */
  readonly standIns: Submitted<Schema>;
  readonly malformed: readonly MalformedField[];
}

// Enough to see what is meant; the rest is counted.
const shownUnknown = 20;

/**
 * Reads a JSON object by its schema. Every field that is unknown or of another kind is told; what its value means is
 * for the rules to judge.
 *
 * @param isWhole whether required fields have to be there
 * @throws OAuthError `invalid_request` when it is no object
 */
export function readRecord<Schema extends RecordSchema>(
  { fields }: Schema,
  body: unknown,
  isWhole: boolean,
): ReadRecord<Schema> {
  if (!isObject(body)) {
    throw new OAuthError('invalid_request', {
      description: 'The body must be a JSON object.',
      violations: ['body: expected an object'],
    });
  }
  const values: Record<string, unknown> = {};
  const standIns: Record<string, unknown> = {};
  const malformed: MalformedField[] = [];
  for (const [name, { kind, access }] of Object.entries(fields)) {
    if (access === 'readOnly' || access === 'issued') continue;
    standIns[name] = kind.empty;
    const given = Object.hasOwn(body, name) ? body[name] : undefined;
    if (given === undefined || (given === null && isWhole)) {
      if (isWhole && access === 'required') malformed.push({ field: name, problem: 'is required' });
      continue;
    }
    if (given === null && access === 'required') malformed.push({ field: name, problem: 'is required' });
    const value = given === null ? kind.empty : kind.read(given);
    if (value === undefined) {
      malformed.push({ field: name, problem: `expected ${kind.expected}, got ${kindOf(given)}` });
    } else values[name] = value;
  }
  return {
    values: values as Partial<Submitted<Schema>>,
    standIns: standIns as Submitted<Schema>,
    malformed: [...malformed, ...unknownFields(body, fields)],
  };
}

function unknownFields(body: object, fields: RecordSchema['fields']): MalformedField[] {
  const unknown = Object.keys(body).filter((name) => !Object.hasOwn(fields, name));
  const shown = unknown.slice(0, shownUnknown).map((name) => ({
    field: /^\w{1,40}$/.test(name) ? name : JSON.stringify(name.slice(0, 40)),
    problem: 'is not a field of this record',
  }));
  const more = unknown.length - shown.length;
  return more > 0 ? [...shown, { field: 'body', problem: `has ${more} more unknown fields` }] : shown;
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list of something else';
  if (typeof value === 'object') return 'an object of something else';
  return typeof value === 'string' ? 'a text' : JSON.stringify(value).slice(0, 30);
}
