import {
  isObject,
  type JsonObject,
  type MalformedField,
  misspelledName,
  OAuthError,
  shown,
} from '@watchword/protocol';
import type { MemberPatch } from './read-value.ts';
import {
  isSubmittedField,
  type RecordSchema,
  type SchemaFields,
  type Submitted,
  submittedFieldsOf,
} from './record-schema.ts';

/** A submitted record, as far as its values are of the right kind. */
interface ReadRecord<Fields extends SchemaFields> {
  /** Only what was submitted. */
  readonly given: Partial<Submitted<Fields>>;
  /** All fields: those that are absent or malformed have their defaults. */
  readonly whole: Submitted<Fields>;
  readonly malformed: readonly MalformedField[];
}

/** A merge patch of a record (RFC 7396). */
interface RecordPatch<Fields extends SchemaFields> {
  /** The fields that the patch sets, without those of which it sets members. */
  readonly given: Partial<Submitted<Fields>>;
  /** Returns the fields that the patch sets. */
  apply(current: Submitted<Fields>): Partial<Submitted<Fields>>;
  readonly malformed: readonly MalformedField[];
}

// Loaded with the first body: reading bodies must not cost a server its time and memory at the start.
const valueReader = () => import('./read-value.ts');

/**
 * Reads the body that sets a whole record; `null` is the same as an absent field. Every field that is misspelled or
 * malformed is reported, and every unknown one unless the schema ignores those. The rules of the record check the values.
 *
 * @throws OAuthError `invalid_request` if the body is not an object
 */
export async function readRecord<Fields extends SchemaFields>(
  schema: RecordSchema<Fields>,
  body: unknown,
): Promise<ReadRecord<Fields>> {
  const object = objectOf(body);
  const { readValue } = await valueReader();
  const given: Record<string, unknown> = {};
  const defaults: Record<string, unknown> = {};
  const malformed: MalformedField[] = [];
  for (const [name, field] of submittedFieldsOf(schema.fields)) {
    defaults[name] = field.default;
    const submitted = own(object, name) ?? undefined;
    if (submitted === undefined) {
      if (field.access === 'required') malformed.push({ field: name, problem: 'is required' });
      continue;
    }
    const read = readValue(field.kind, submitted);
    if ('problem' in read) malformed.push({ field: name, problem: read.problem });
    else given[name] = read.value;
  }
  return {
    given: given as Partial<Submitted<Fields>>,
    whole: { ...defaults, ...given } as Submitted<Fields>,
    malformed: [...malformed, ...unknownFields(object, schema)],
  };
}

/**
 * Reads the body that changes a part of a record: an absent field stays as it is, `null` resets a field to its default
 * and removes a member of an object.
 *
 * @throws OAuthError `invalid_request` if the body is not an object
 */
export async function readPatch<Fields extends SchemaFields>(
  schema: RecordSchema<Fields>,
  body: unknown,
): Promise<RecordPatch<Fields>> {
  const object = objectOf(body);
  const { readValue, readMemberPatch } = await valueReader();
  const given: Record<string, unknown> = {};
  const members = new Map<string, MemberPatch>();
  const malformed: MalformedField[] = [];
  for (const [name, { kind, access, default: fallback }] of submittedFieldsOf(schema.fields)) {
    const submitted = own(object, name);
    if (submitted === undefined) continue;
    if (submitted === null) {
      given[name] = fallback;
      if (access === 'required') malformed.push({ field: name, problem: 'is required' });
      continue;
    }
    const isMembers = kind.type === 'textMap' && isObject(submitted);
    const read = isMembers ? readMemberPatch(submitted) : readValue(kind, submitted);
    if ('problem' in read) malformed.push({ field: name, problem: read.problem });
    else if (isMembers) members.set(name, read.value as MemberPatch);
    else given[name] = read.value;
  }
  return {
    given: given as Partial<Submitted<Fields>>,
    apply: (current) => ({ ...given, ...patched(current, members) }) as Partial<Submitted<Fields>>,
    malformed: [...malformed, ...unknownFields(object, schema)],
  };
}

/** @throws OAuthError `invalid_request` with every violation, when there is one */
export function rejectMalformed(malformed: readonly MalformedField[]): void {
  if (malformed.length === 0) return;
  const violations = malformed.map(({ field, problem }) => `${field}: ${problem}`);
  throw new OAuthError('invalid_request', { rule: 'valid_record', violations });
}

function objectOf(body: unknown): JsonObject {
  if (isObject(body)) return body;
  throw new OAuthError('invalid_request', {
    description: 'The body must be a JSON object.',
    rule: 'valid_record',
    violations: ['body: expected an object'],
  });
}

/** A member of the body itself, and never of its prototype. */
function own(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function patched(current: object, members: ReadonlyMap<string, MemberPatch>): JsonObject {
  const values = current as Readonly<Record<string, object>>;
  return Object.fromEntries(
    [...members].map(([name, patch]) => {
      const merged = Object.entries({ ...values[name], ...patch });
      return [name, Object.fromEntries(merged.filter(([, value]) => value !== null))];
    }),
  );
}

// More are only counted.
const maxShown = 20;
// To compare thousands of names with those of the fields takes too long. No caller of an earlier release sends so many.
const maxIgnored = 100;

/** The members of a body that are no fields of the record, and that the schema does not ignore. */
function unknownFields(body: JsonObject, { fields, ignoresUnknown }: RecordSchema): MalformedField[] {
  const known = Object.keys(fields);
  const names = Object.keys(body).filter((name) => !Object.hasOwn(fields, name));
  if (names.length > maxIgnored) return [{ field: 'body', problem: `has ${names.length} unknown fields` }];
  const unknown = names.flatMap((name): MalformedField[] => {
    const meant = misspelledName(name, known);
    // A field that only the server sets is ignored, also if its name is misspelled.
    const isMeant = meant !== undefined && fields[meant] !== undefined && isSubmittedField(fields[meant]);
    if (ignoresUnknown === true && !isMeant) return [];
    const hint = isMeant ? `; did you mean ${meant}?` : '';
    return [{ field: printable(name), problem: `is not a field of this record${hint}` }];
  });
  const more = unknown.length - maxShown;
  if (more <= 0) return unknown;
  return [...unknown.slice(0, maxShown), { field: 'body', problem: `has ${more} more unknown fields` }];
}

function printable(name: string): string {
  return /^\w{1,40}$/.test(name) ? name : shown(name, 40);
}
