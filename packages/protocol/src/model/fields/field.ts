import { emptyOf, type Kind, type ValueOf } from './kind.ts';
import type { CheckContext } from './problems.ts';

/**
 * One field of a registered record. The table of a record is the one place that describes its fields: the types of
 * the record, the checks of a registration, the REST schema, the columns, the options of the command line and the
 * typed client are made from it.
 */
export interface FieldOf<K extends Kind> {
  readonly kind: K;
  readonly setBy: SetBy;
  /** Whether a registration must name it. */
  readonly isRequired?: true;
  /** The value when a registration leaves the field out; absent: the empty value of the kind. */
  readonly default?: ValueOf<K>;
  /**
   * Yields what is wrong with a value, each as a phrase that follows the name of the field; absent: only the limits of the
   * kind are checked. Rules between fields stand with the rules of the record.
   */
  check?(value: ValueOf<K>, context: CheckContext<ValueOf<K>>): Iterable<string>;
  /** Its name in the administration interface, if it differs. */
  readonly wireName?: string;
  /**
   * Whether a request that replaces the record and leaves the field out keeps its value. Earlier releases did not have the
   * field, and their callers do not name it.
   */
  readonly isKeptWhenLeftOut?: true;
  /** The field of the administration interface that it is a part of. Its own name is not known there. */
  readonly partOf?: string;
  /** Whether a change by a caller who is not an administrator ends the trust in the record. */
  readonly endsTrust?: true;
  /** Whether it is stored sealed and never shown. Only a setting of an authenticator can be one. */
  readonly isSecret?: true;
  /** Whether it cannot be changed in the built-in record, because the administration interface depends on it. */
  readonly isFixedInBuiltIn?: true;
  /** Its label in a form. A field that a request sets needs one. */
  readonly label?: string;
  /** Its meaning as a phrase, for the command line and as the first sentence of its description. */
  readonly summary: string;
  /** Further sentences of its description. */
  readonly details?: string;
  /** The option of the command line, as in `--name <text>`; absent: made from the name of the field. */
  readonly option?: string;
}

export type Field = Kind extends infer K ? (K extends Kind ? FieldOf<K> : never) : never;

/**
 * Who sets a field. `owner`: every caller to whom the record belongs. `administrator`: administrators; the value
 * of another caller is ignored. `server`: only the server. `issued`: the server, which returns it where it applies, such as to
 * the request that caused it, and does not store it under this name.
 */
export type SetBy = 'owner' | 'administrator' | 'server' | 'issued';

/** The fields of a record by name, in the order in which they are answered. */
export type FieldTable = Readonly<Record<string, Field>>;

/** The fields of a record as they are stored. */
export type StoredFields<Table extends FieldTable> = {
  readonly [Name in keyof Table as Table[Name]['setBy'] extends 'issued' ? never : Name]: ValueOf<
    Table[Name]['kind']
  >;
};

/** The fields of a record that a request sets. */
export type SubmittedFields<Table extends FieldTable> = {
  readonly [Name in keyof Table as Table[Name]['setBy'] extends 'owner' | 'administrator'
    ? Name
    : never]: ValueOf<Table[Name]['kind']>;
};

/** A record in the names of the administration interface. */
export type WireRecord<Table extends FieldTable> = {
  readonly [Name in keyof StoredFields<Table> & keyof Table as Table[Name] extends { readonly partOf: string }
    ? never
    : WireNameOf<Table, Name>]: ValueOf<Table[Name]['kind']>;
};

type WireNameOf<Table extends FieldTable, Name extends keyof Table> = Table[Name] extends {
  readonly wireName: infer WireName extends string;
}
  ? WireName
  : Name;

export type SubmittedName<Table extends FieldTable> = keyof SubmittedFields<Table> & string;

type ListedFields = readonly (readonly [name: string, field: Field])[];

/** The fields that are stored, in the order of the table. */
export const storedFields = readOnce(
  (table: FieldTable): ListedFields => Object.entries(table).filter(([, { setBy }]) => setBy !== 'issued'),
);

/** The fields that a request sets, in the order of the table. */
export const submittedFields = readOnce(
  (table: FieldTable): ListedFields => Object.entries(table).filter(([, field]) => isSubmitted(field)),
);

/** Their names in the table and in the administration interface, in the order of the table. */
const wireNames = readOnce((table: FieldTable) =>
  storedFields(table)
    .filter(([, field]) => hasWireName(field))
    .map(([name, { wireName = name }]) => [name, wireName] as const),
);

/** What is read of a table, which does not change: once, and not for each request. */
export function readOnce<Table extends object, Value>(
  read: (table: Table) => Value,
): (table: Table) => Value {
  const known = new WeakMap<Table, Value>();
  return (table) => {
    const value = known.get(table) ?? read(table);
    known.set(table, value);
    return value;
  };
}

/** Whether the administration interface has the field under a name of its own. */
export function hasWireName({ partOf }: Pick<Field, 'partOf'>): boolean {
  return partOf === undefined;
}

export function isSubmitted({ setBy }: Pick<Field, 'setBy'>): boolean {
  return setBy === 'owner' || setBy === 'administrator';
}

/** Names of the fields that a request sets and that the predicate accepts. */
export function submittedNames<Table extends FieldTable>(
  table: Table,
  isWanted: (field: Field) => boolean = () => true,
): readonly SubmittedName<Table>[] {
  return submittedFields(table)
    .filter(([, field]) => isWanted(field))
    .map(([name]) => name as SubmittedName<Table>);
}

export function defaultOf(field: Field): ValueOf<Kind> {
  return field.default ?? emptyOf(field.kind);
}

/** A registration that names no field. */
export function defaultsOf<Table extends FieldTable>(table: Table): SubmittedFields<Table> {
  return Object.fromEntries(
    submittedFields(table).map(([name, field]) => [name, defaultOf(field)]),
  ) as SubmittedFields<Table>;
}

/** The fields that a request sets which names a whole record. */
export function replacementOf<Table extends FieldTable>(
  table: Table,
  given: Partial<SubmittedFields<Table>>,
): Partial<SubmittedFields<Table>> {
  const reset = submittedFields(table).filter(([, { isKeptWhenLeftOut }]) => isKeptWhenLeftOut !== true);
  return { ...Object.fromEntries(reset.map(([name, field]) => [name, defaultOf(field)])), ...given };
}

/** The fields of a record that a request sets. */
export function submittedOf<Table extends FieldTable>(
  table: Table,
  record: SubmittedFields<Table>,
): SubmittedFields<Table> {
  const values = record as Readonly<Record<string, unknown>>;
  const submitted: Record<string, unknown> = {};
  for (const [name] of submittedFields(table)) submitted[name] = values[name];
  return submitted as SubmittedFields<Table>;
}

/** The record in the names and the order of the administration interface. */
export function wireRecord<Table extends FieldTable>(
  table: Table,
  record: StoredFields<Table>,
): WireRecord<Table> {
  const values = record as Readonly<Record<string, unknown>>;
  const written: Record<string, unknown> = {};
  for (const [name, wireName] of wireNames(table)) written[wireName] = values[name];
  return written as WireRecord<Table>;
}

/** The meaning of a field, as sentences. */
export function descriptionOf({ summary, details }: Pick<Field, 'summary' | 'details'>): string {
  const sentence = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return details === undefined ? sentence : `${sentence} ${details}`;
}
