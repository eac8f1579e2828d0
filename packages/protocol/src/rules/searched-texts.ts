import type { Account } from '../model/records/account.ts';
import type { Client } from '../model/records/client.ts';
import type { ResourceServer } from '../model/records/resource-server.ts';

// The texts by which a search finds a record. A release that changes one of these lists has a migration that makes the stored texts anew.

/** The names of a client, by which a search also finds its tokens and grants. */
export function clientNames({ clientName, clientId }: Pick<Client, 'clientName' | 'clientId'>): string[] {
  return [clientName, clientId];
}

export type SearchedClient = Pick<
  Client,
  'clientName' | 'clientId' | 'description' | 'contactName' | 'contactEmail'
>;

export function clientTexts(client: SearchedClient): string[] {
  return [...clientNames(client), client.description, client.contactName, client.contactEmail];
}

export type SearchedResourceServer = Pick<
  ResourceServer,
  'name' | 'key' | 'description' | 'contactName' | 'contactEmail' | 'owner'
>;

export function resourceServerTexts(server: SearchedResourceServer): string[] {
  const { name, key, description, contactName, contactEmail, owner } = server;
  return [name, key, description, contactName, contactEmail, owner];
}

export type SearchedAccount = Pick<Account, 'username' | 'displayName' | 'email' | 'groups'>;

export function accountTexts({ username, displayName, email, groups }: SearchedAccount): string[] {
  return [username, displayName, email, ...groups];
}

// More marks on one letter than languages have: putting many in order takes the square of the time (UAX #15 §13).
const tooManyMarks = /(\p{M}{8})\p{M}+/gu;

/** A text as searches compare it. That of an ASCII text is ASCII. */
export function fold(text: string): string {
  return text.replace(tooManyMarks, '$1').normalize('NFKC').toLowerCase();
}
