import { type ResourceServerFields, resourceServerDefaults } from '@watchword/admin-client';

const names = Object.keys(resourceServerDefaults) as (keyof ResourceServerFields)[];

/** The fields of a record that a form has. */
export function resourceServerFields(record: ResourceServerFields): ResourceServerFields {
  return Object.fromEntries(names.map((name) => [name, record[name]])) as unknown as ResourceServerFields;
}
