import {
  type Client,
  type ClientRegistration,
  clientFields,
  lacksSecret,
  type MachineSecret,
  type ManagedChange,
  type ResourceServer,
  type Scopes,
  secretsEnd,
  type WireRecord,
  wireRecord,
  withheldScopesOf,
} from '@watchword/protocol';
import { difference } from '../changes/audit.ts';
import { digestOfRecord, type ManagingDependencies, managedChange } from '../changes/managed.ts';
import { type NewSecret, type SecretMark, secretMark } from '../registered/registered-fields.ts';

/** In the names of the administration interface, never with a secret or a digest of one. */
export function clientRecord(client: Client): ClientRecord {
  return wireRecord(clientFields, client);
}

export interface ClientRecord extends WireRecord<typeof clientFields> {}

/** A client in an answer, with marks if it cannot authenticate yet, or not for ever, or has a secret that can be guessed, and what it does not get yet. */
export interface AnsweredClient extends ClientRecord, SecretMark {
  readonly lacksSecret?: boolean;
  readonly secretExpires?: number;
  readonly withheldScopes?: Scopes;
}

export function answeredClient(client: Client): AnsweredClient {
  const [withheldScopes, secretExpires] = [withheldScopesOf(client), secretsEnd(client)];
  return {
    ...clientRecord(client),
    ...(lacksSecret(client) && { lacksSecret: true }),
    ...secretMark(client),
    ...(secretExpires > 0 && { secretExpires }),
    ...(withheldScopes.length > 0 && { withheldScopes }),
  };
}

/** Names the client of a change; it belongs to the owner of its resource server. */
export function ofClient({ id, clientId }: Client, { owner, ownerAuthority }: ResourceServer) {
  return {
    recordType: 'client',
    recordId: String(id),
    recordName: clientId,
    owner: { identityProvider: ownerAuthority, name: owner },
  } as const;
}

/** What a change says of the configuration that is applied; see {@link managedChange}. */
export function managedClientChange(
  deps: ManagingDependencies,
  fields: ClientRegistration,
  secret: MachineSecret | undefined,
): ManagedChange {
  return managedChange(deps, clientFields, fields, { secret, decided: { trusted: true } });
}

/** The digest of a client as it is. */
export function digestOfClient(client: Client): string {
  const { secret, trusted } = client;
  return digestOfRecord(clientFields, client, { secret, decided: { trusted } });
}

/** A configuration has brought a new secret. */
export function replacedSecret(client: Client, resourceServer: ResourceServer, { overlap }: NewSecret) {
  return { action: 'rotateSecret', ...ofClient(client, resourceServer), after: { overlap } } as const;
}

export function clientDifference(before: Client, after: Client) {
  return difference(clientRecord(before), clientRecord(after));
}
