import type { MalformedField } from '@watchword/protocol';
import { misspelledName } from '../../nearest-name.ts';
import type { JsonObject } from '../../schemas.ts';
import { isSubmittedField, type RecordSchema } from './record-schema.ts';

// More are only counted.
const maxShown = 20;

/** The members of a body that are no fields of the record, and that the schema does not ignore. */
export function unknownFields(body: JsonObject, { fields, ignoresUnknown }: RecordSchema): MalformedField[] {
  const known = Object.keys(fields);
  const unknown = Object.keys(body).flatMap((name): MalformedField[] => {
    if (Object.hasOwn(fields, name)) return [];
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
  return /^\w{1,40}$/.test(name) ? name : JSON.stringify(name.slice(0, 40));
}
