import {
  type ClientRegistration,
  canBeGuessed,
  type Identity,
  isOpenClientId,
  reservedNames,
  type Scopes,
  strongSecretLength,
  type Violations,
} from '@watchword/protocol';
import type { Edit } from '../changes/edit.ts';
import type { ResourceServerRegistration } from '../resource-servers/resource-server-rules.ts';

/** A resource server of another authorization server, with its credentials and its clients. */
export interface ImportedResourceServer {
  readonly key: string;
  readonly secret: string | undefined;
  readonly owner: Identity;
  readonly submitted: ImportedFields<ResourceServerRegistration>;
  readonly clients: readonly ImportedClient[];
}

export interface ImportedClient {
  readonly clientId: string;
  /** `undefined` for a public client. */
  readonly secret: string | undefined;
  readonly submitted: ImportedFields<ClientRegistration>;
  /** Other resource servers that it names by their keys, beside those that the fields name by their record ids. */
  readonly othersByKey?: readonly ScopesByKey[];
}

/** A resource server that can be anywhere in the import, and the scopes that a client can get there. */
export interface ScopesByKey {
  readonly key: string;
  readonly scopes: Scopes;
}

/** The fields of a record, which can depend on those that it has. A field that is left out does not change. */
type ImportedFields<Fields> = Pick<Edit<Fields>, 'apply' | 'malformed'>;

/** What an import did with a record, or with a dry run would do. */
export interface ImportedRecord {
  readonly recordType: 'resourceServer' | 'client';
  /** The key, or the clientId. */
  readonly name: string;
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'refused';
  /** Names of the fields that change, the reasons of a refusal, or advice; never a secret. */
  readonly details: readonly string[];
}

// Visible ASCII. HTTP Basic separates the name from the secret by a colon, and old clients do not encode it.
const namePattern = /^[\x21-\x39\x3b-\x7e]{1,255}$/;

/** Finds what is wrong with the key of a resource server, or the clientId of a client, that is imported. */
export function checkImportedName(field: 'key' | 'clientId', name: string, violations: Violations): void {
  if (!namePattern.test(name))
    violations.add(field, 'must be 1 to 255 visible ASCII characters without colon', name);
  if (reservedNames.has(name))
    violations.add(field, 'belongs to the administration interface of this server');
  // Otherwise it would not be among the clients that no administrator confirmed.
  if (field === 'clientId' && isOpenClientId(name))
    violations.add(field, 'begins as those of clients that register themselves; choose another one');
}

/** Advice for a secret that can be guessed. @param command that rotates it */
export function adviceOnSecret(secret: string | undefined, command: string): string[] {
  if (secret === undefined || !canBeGuessed(secret)) return [];
  return [
    `its secret has fewer than ${strongSecretLength} characters and can be guessed; rotate it soon with "${command}"`,
  ];
}

/** The result of one record. */
export interface Done<Stored> extends Pick<ImportedRecord, 'outcome' | 'details'> {
  readonly stored: Stored;
}

/** Whether the import has the fields that the record has already, so that nothing is written. */
export function isUnchanged<Fields>(
  { malformed = [] }: ImportedFields<Fields>,
  current: Fields,
  edited: Fields,
): boolean {
  return malformed.length === 0 && JSON.stringify(edited) === JSON.stringify(current);
}

/** The result for a record that was there before. @param changed names of the fields that have other values now */
export function outcomeOf<Stored>(stored: Stored, changed: readonly string[]): Done<Stored> {
  return { stored, outcome: changed.length > 0 ? 'changed' : 'unchanged', details: changed };
}
