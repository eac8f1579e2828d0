import { type FieldTable, type SubmittedFields, submittedNames } from '../model/fields/field.ts';
import type { Client } from '../model/records/client.ts';
import type { ResourceServer } from '../model/records/resource-server.ts';
import { systemIdentityProvider } from '../model/reserved-identity-providers.ts';
import type { Violations } from './registration.ts';

/** The resource server of the administration interface, the client of its pages and that of the command line. The server registers them. */
export const administrationKey = 'authorization-server-admin';
export const administrationClientId = 'authorization-server-admin-js-client';
export const commandLineClientId = 'authorization-server-admin-cli';

/** The home of clients that belong to no resource server: it has no scopes, and no secret that anybody knows. */
export const openClientsKey = 'authorization-server-open-clients';

/** No other record is registered under these names. */
export const reservedNames: ReadonlySet<string> = new Set([
  administrationKey,
  administrationClientId,
  commandLineClientId,
  openClientsKey,
]);

/** Where `watchword login` gets its code. The port of each login is another one (RFC 8252 §7.3). */
export const commandLineRedirectUri = 'http://127.0.0.1/callback';

const page = '/client/client.html';

/** Where the pages of the administration interface get their tokens. */
export function administrationRedirectUri(baseUrl: string): string {
  return `${baseUrl}${page}`;
}

/** The inverse of {@link administrationRedirectUri}. */
export function administrationBaseUrl(redirectUri: string): string {
  return redirectUri.slice(0, -page.length);
}

/** Whether the server itself registered the record and depends on it. No caller can remove it. */
export function isBuiltIn({ ownerAuthority }: Pick<ResourceServer, 'ownerAuthority'>): boolean {
  return ownerAuthority === systemIdentityProvider;
}

/** Whether the server itself registered it for those who administer: every built-in one but the home of open clients. */
export function isAdministration(resourceServer: Pick<ResourceServer, 'key' | 'ownerAuthority'>): boolean {
  return isBuiltIn(resourceServer) && !isHomeOfOpenClients(resourceServer);
}

/** Whether the client is there for those who administer, and for nothing else. Profiles ask it for less. @param home its resource server */
export function onlyAdministers(
  { otherResourceServers }: Pick<Client, 'otherResourceServers'>,
  home: Pick<ResourceServer, 'key' | 'ownerAuthority'> | undefined,
): boolean {
  return home !== undefined && isAdministration(home) && otherResourceServers.length === 0;
}

/** Whether clients that have it as their home belong to no resource server. */
export function isHomeOfOpenClients({
  key,
  ownerAuthority,
}: Pick<ResourceServer, 'key' | 'ownerAuthority'>): boolean {
  return key === openClientsKey && ownerAuthority === systemIdentityProvider;
}

/** Whether the server itself registered the client. No caller can remove it. */
export function isBuiltInClient({ clientId }: Client, resourceServer: ResourceServer): boolean {
  const isOwn = clientId === administrationClientId || clientId === commandLineClientId;
  return isOwn && isBuiltIn(resourceServer);
}

/** Whether it is the client of the administration pages. */
export function isClientOfPages({ clientId }: Client, resourceServer: ResourceServer): boolean {
  return isBuiltIn(resourceServer) && clientId === administrationClientId;
}

/** Finds every fixed field that an edit of a built-in record changes. */
export function checkFixedFields<Table extends FieldTable>(
  table: Table,
  current: SubmittedFields<Table>,
  edited: SubmittedFields<Table>,
  violations: Violations,
): void {
  for (const name of submittedNames(table, ({ isFixedInBuiltIn }) => isFixedInBuiltIn === true)) {
    if (JSON.stringify(edited[name]) !== JSON.stringify(current[name])) {
      violations.add(
        table[name]?.partOf ?? name,
        'cannot be changed: the administration interface itself depends on it',
      );
    }
  }
}
