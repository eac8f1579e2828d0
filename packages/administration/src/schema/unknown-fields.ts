import { type JsonObject, type MalformedField, misspelledName, shown } from '@watchword/protocol';
import { isSubmittedField, type RecordSchema } from './record-schema.ts';

// More are only counted.
const maxShown = 20;
// To compare thousands of names with those of the fields takes too long. No caller of an earlier release sends so many.
const maxIgnored = 100;

/** The members of a body that are no fields of the record, and that the schema does not ignore. */
export function unknownFields(body: JsonObject, { fields, ignoresUnknown }: RecordSchema): MalformedField[] {
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
