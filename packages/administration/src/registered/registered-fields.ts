import {
  type Client,
  defaultOf,
  type FieldTable,
  isWeakSecret,
  type MachineSecret,
  type SubmittedFields,
  submittedFields,
} from '@watchword/protocol';
import type { Caller } from '../callers/caller.ts';

/**
 * A registration as the caller can make it: of a field that administrators set, another caller's value is ignored.
 *
 * @param before the registration that is to be changed; `undefined` for a new record
 */
export function settableBy<Table extends FieldTable>(
  { isAdministrator }: Pick<Caller, 'isAdministrator'>,
  table: Table,
  submitted: SubmittedFields<Table>,
  before: SubmittedFields<Table> | undefined,
): SubmittedFields<Table> {
  if (isAdministrator) return submitted;
  const stored = before as Readonly<Record<string, unknown>> | undefined;
  const kept = submittedFields(table)
    .filter(([, { setBy }]) => setBy === 'administrator')
    .map(([name, field]) => [name, stored === undefined ? defaultOf(field) : stored[name]] as const);
  return { ...submitted, ...Object.fromEntries(kept) };
}

/** A secret that a configuration brings for a record that exists. */
export interface NewSecret {
  readonly stored: MachineSecret;
  /** Seconds for which the old secret stays valid. */
  readonly overlap: number;
}

export interface SecretMark {
  readonly weakSecret?: boolean;
}

export function secretMark({ secret }: Pick<Client, 'secret'>): SecretMark {
  return isWeakSecret(secret) ? { weakSecret: true } : {};
}
