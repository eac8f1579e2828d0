import {
  defaultOf,
  type FieldTable,
  type MachineSecret,
  type ManagedChange,
  OAuthError,
  sha256,
  submittedFields,
} from '@watchword/protocol';

export interface ManagingDependencies {
  /** Name of the configuration that is applied; absent: people, tools and machines change single records. */
  readonly configuration?: string;
}

/**
 * Only its configuration changes a record that one manages.
 *
 * @throws OAuthError `managed_record`
 */
export function checkManaged(
  { managedBy }: { readonly managedBy: string },
  { configuration }: ManagingDependencies,
): void {
  if (managedBy === '' || managedBy === configuration) return;
  throw new OAuthError('managed_record', {
    expected: `a change of the configuration ${managedBy}`,
    description: `The configuration ${managedBy} manages this record: change its file, and apply it with watchword apply.`,
  });
}

/** A record as a configuration leaves it. */
interface LeftRecord {
  readonly secret: MachineSecret | undefined;
  /** What the configuration decides beside the fields that requests set. */
  readonly decided: Readonly<Record<string, unknown>>;
}

/** What a change of a record says of the configuration that is applied; nothing if none is. */
export function managedChange(
  { configuration }: ManagingDependencies,
  table: FieldTable,
  fields: object,
  left: LeftRecord,
): ManagedChange {
  if (configuration === undefined) return {};
  return { managedBy: configuration, appliedDigest: digestOfRecord(table, fields, left) };
}

/**
 * Fields with their defaults are left out: those that a later release adds have them.
 */
export function digestOfRecord(table: FieldTable, fields: object, { secret, decided }: LeftRecord): string {
  const values = fields as Readonly<Record<string, unknown>>;
  const named: Record<string, unknown> = { ...decided };
  for (const [name, field] of submittedFields(table)) {
    const usual = defaultOf(field);
    if (values[name] === usual) continue;
    const value = JSON.stringify(values[name]);
    if (value !== JSON.stringify(usual)) named[name] = value;
  }
  const hash = secret === undefined ? '' : Buffer.from(secret.hash).toString('hex');
  return sha256(`${JSON.stringify(named)} ${hash}`).toString('base64url');
}
