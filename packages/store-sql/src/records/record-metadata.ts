import { defaultOf, type FieldTable, type StoredFields, storedFields } from '@watchword/protocol';
import { jsonPattern } from './json-pattern.ts';

type Metadata<Table extends FieldTable, Column> = Omit<StoredFields<Table>, Column & PropertyKey>;

export interface RecordMetadata<Fields> {
  /** A field that is absent from the row has its default, because an older release wrote the row. */
  read(json: string): Fields;
  /** Matches nothing but what {@link write} makes of a new record with these values; see {@link jsonPattern}. */
  pattern(values: Partial<Fields>): RegExp;
  /**
   * @param stored the metadata that is to be changed. Its unknown members stay: a newer release wrote them, and both
   * releases can run at the same time during an upgrade.
   */
  write(record: Fields, stored?: string): string;
}

/** Fields of a record in its JSON column, under their names. @param columns fields that have a column of their own */
export function recordMetadata<Table extends FieldTable, Column extends keyof StoredFields<Table>>(
  table: Table,
  columns: readonly Column[],
): RecordMetadata<Metadata<Table, Column>> {
  const hasColumn: ReadonlySet<unknown> = new Set(columns);
  const defaults = storedFields(table)
    .filter(([name]) => !hasColumn.has(name))
    .map(([name, field]) => [name, defaultOf(field)] as const);
  return {
    read(json) {
      const stored = JSON.parse(json) as Readonly<Record<string, unknown>>;
      // As this release writes it: of a hundred thousand records at the start nearly all.
      const names = Object.keys(stored);
      if (names.length === defaults.length && names.every((name, index) => name === defaults[index]?.[0])) {
        return stored as Metadata<Table, Column>;
      }
      const fields: Record<string, unknown> = {};
      for (const [name, fallback] of defaults) {
        fields[name] = Object.hasOwn(stored, name) ? stored[name] : fallback;
      }
      return fields as Metadata<Table, Column>;
    },
    pattern: (values) => jsonPattern(defaults, values),
    write(record, stored = '{}') {
      const values = record as Readonly<Record<string, unknown>>;
      const written = JSON.parse(stored);
      for (const [name] of defaults) written[name] = values[name];
      return JSON.stringify(written);
    },
  };
}
