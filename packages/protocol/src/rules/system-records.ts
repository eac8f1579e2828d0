import { systemAuthority } from '../model/authority.ts';
import type { Client } from '../model/client.ts';
import { type FieldTable, type SubmittedFields, submittedNames } from '../model/fields/field.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { Violations } from './registration.ts';

/** The resource server that the administration interface is, and the client that its pages are. */
export const administrationKey = 'authorization-server-admin';
export const administrationClientId = 'authorization-server-admin-js-client';

/** What a token needs for reading and for changing records. */
export const administrationScopes = { read: 'read', write: 'write' } as const;

/** Nobody else is ever registered under these. */
export const reservedNames: ReadonlySet<string> = new Set([administrationKey, administrationClientId]);

const page = '/client/client.html';

/** Where the pages of the administration interface get their tokens. */
export function administrationRedirectUri(baseUrl: string): string {
  return `${baseUrl}${page}`;
}

/** The base URL of a redirect URI of theirs. */
export function administrationBaseUrl(redirectUri: string): string {
  return redirectUri.endsWith(page) ? redirectUri.slice(0, -page.length) : redirectUri;
}

/** The server depends on it, so that nobody may remove it or change what it depends on. */
export function isSystemRecord({ ownerAuthority }: Pick<ResourceServer, 'ownerAuthority'>): boolean {
  return ownerAuthority === systemAuthority;
}

/** Whether it is the client on which the administration pages depend. */
export function isSystemClient({ clientId }: Client, resourceServer: ResourceServer): boolean {
  return isSystemRecord(resourceServer) && clientId === administrationClientId;
}

/** Finds every fixed field that an edit of a built-in record changes. */
export function keptBySystem<Table extends FieldTable>(
  table: Table,
  current: SubmittedFields<Table>,
  edited: SubmittedFields<Table>,
  violations: Violations,
): void {
  for (const name of submittedNames(table, ({ isFixedInBuiltIn }) => isFixedInBuiltIn === true)) {
    if (JSON.stringify(edited[name]) !== JSON.stringify(current[name])) {
      violations.add(name, 'cannot be changed: the administration interface itself depends on it');
    }
  }
}
