import type { Client } from '../model/records/client.ts';
import type { ResourceServer } from '../model/records/resource-server.ts';
import { isHomeOfOpenClients } from './built-in-records.ts';

/** Whether a client_id can only mean a document: the server itself gives no client an id like this. */
export function isDocumentUrl(clientId: string): boolean {
  return clientId.startsWith('https://');
}

/** Whether a document describes the client, and no registration. @param home its resource server */
export function isDocumentClient(
  { clientId }: Pick<Client, 'clientId'>,
  home: Pick<ResourceServer, 'key' | 'ownerAuthority'>,
): boolean {
  return isDocumentUrl(clientId) && isHomeOfOpenClients(home);
}

/** The record id of a client of which nothing is stored. */
export const notStored = 0;

/** Whether the client has a record. One of a document gets it with the first consent of a user. */
export function hasRecord({ id }: Pick<Client, 'id'>): boolean {
  return id !== notStored;
}

/** The host that is responsible for the client of a document, as pages name it. */
export function documentHost({ clientId }: Pick<Client, 'clientId'>): string {
  return new URL(clientId).host;
}

/**
 * Who is responsible for a tool, which is a client that belongs to no resource server: the host of its document, with its port; `''` if
 * it registered itself, because nobody vouches for it. `undefined` for any other client.
 *
 * @param home its resource server
 */
export function vendorOf(
  client: Pick<Client, 'clientId'>,
  home: Pick<ResourceServer, 'key' | 'ownerAuthority'>,
): string | undefined {
  if (!isHomeOfOpenClients(home)) return undefined;
  return isDocumentUrl(client.clientId) ? documentHost(client) : '';
}
