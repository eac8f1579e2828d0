import type { Client } from '../model/records/client.ts';
import type { ResourceServer } from '../model/records/resource-server.ts';
import type { Random } from '../ports/crypto/random.ts';
import { isHomeOfOpenClients } from './built-in-records.ts';
import { randomText } from './random-text.ts';

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

// No client_id that is chosen, or made from a name, has a dot.
const selfRegisteredPrefix = 'registered.';

/** Makes the client_id of a client that registers itself: nobody can ask for a name. */
export function selfRegisteredId(random: Random): string {
  return `${selfRegisteredPrefix}${randomText(random, 16)}`;
}

/** Whether the client registered itself (RFC 7591). @param home its resource server */
export function isSelfRegistered(
  { clientId }: Pick<Client, 'clientId'>,
  home: Pick<ResourceServer, 'key' | 'ownerAuthority'>,
): boolean {
  return clientId.startsWith(selfRegisteredPrefix) && isHomeOfOpenClients(home);
}

/** Whether nobody who is known answers for a client of this client_id: a document describes it, or it registered itself. */
export function isOpenClientId(clientId: string): boolean {
  return isDocumentUrl(clientId) || clientId.startsWith(selfRegisteredPrefix);
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
