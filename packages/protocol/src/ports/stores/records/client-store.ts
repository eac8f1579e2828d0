import type { MachineSecret } from '../../../model/machine-secret.ts';
import type { Client } from '../../../model/records/client.ts';
import type { Identity } from '../../../model/resource-owner.ts';
import type { Scopes } from '../../../model/scope.ts';
import type { ManagedChange, ManagedRecords } from './configuration-store.ts';

/** A client to register. The store adds what is left out, and chooses `clientId` from the candidates. */
export type NewClient = Omit<Client, 'id' | 'clientId' | 'revision' | 'formerResourceServers' | 'managedBy'> &
  ManagedChange;

export type NamedClient = NewClient & Pick<Client, 'clientId'>;

export type ClientChange = Partial<Omit<NewClient, 'resourceServerId' | 'tokensValidFrom'>>;

/** Stores clients. A change is durable when its promise resolves. A deleted client is not found and cannot be changed. */
export interface ClientStore extends ManagedRecords<Client> {
  /**
   * Registers the client with the first of `candidates` that no other client has as its `clientId`. The transaction of the
   * insert decides, so two simultaneous registrations never get the same one. If a deleted client had it, `tokensValidFrom` is not before
   * that deletion: a JWT names its client by the `clientId`. `undefined` if the resource server is deleted.
   */
  create(client: NewClient, candidates: Iterable<string>): Promise<Client | undefined>;
  /**
   * Registers many clients in few statements, each as {@link create} does. Resolves in their order.
   *
   * @throws if a client has one of the names, or a resource server is deleted
   */
  createAll(clients: readonly NamedClient[]): Promise<Client[]>;
  /**
   * The client after the change; `undefined` if there is no client with the record id. A resource server that it can no longer use
   * becomes one of its `formerResourceServers`.
   */
  update(id: number, change: ClientChange): Promise<Client | undefined>;
  /** Removes the scopes from every client of the resource server. Resolves with the changed clients, before the change. */
  loseScopes(resourceServerId: number, scopes: Scopes): Promise<Client[]>;
  /**
   * Sets `skipConsent`, `trusted` and `keepsUserData` to `false` in every client of the resource server that has one of the scopes.
   * Resolves with the changed clients, before the change.
   */
  endTrust(resourceServerId: number, scopes: Scopes): Promise<Client[]>;
  /** Also revokes all tokens of the client, as {@link revokeTokens} does. `false` if there is no client with the record id. */
  delete(id: number): Promise<boolean>;
  /** @param secret `undefined` takes its last one away */
  replaceSecret(id: number, secret: MachineSecret | undefined): Promise<boolean>;
  /**
   * Revokes every token of the client that was issued until the given time, also those whose creation date is later because its tokens
   * had been revoked a moment before. The client's `tokensValidFrom` never decreases.
   *
   * @param until epoch milliseconds, included
   */
  revokeTokens(id: number, until: number): Promise<boolean>;
  find(clientId: string): Promise<Client | undefined>;
  findById(id: number): Promise<Client | undefined>;
  /** In any order, without the clients that do not exist. */
  findByIds(ids: readonly number[]): Promise<Client[]>;
  /** In any order, without those that do not exist. */
  findByClientIds(clientIds: readonly string[]): Promise<Client[]>;
  list(query: ClientQuery): Promise<Client[]>;
  /** Their number. */
  count(of: Pick<ClientQuery, 'resourceServerId' | 'otherResourceServerId'>): Promise<number>;
}

export interface ClientQuery {
  readonly resourceServerId?: number;
  /** Only clients that name this resource server in their `otherResourceServers`. */
  readonly otherResourceServerId?: number;
  /** Only clients of resource servers of this owner. */
  readonly owner?: Identity;
  /** Only records whose id is greater. */
  readonly after?: number;
  /** Leaves out clients whose searched fields cannot contain this text, which is in the form of searches. Others can come too. */
  readonly mayContain?: string | undefined;
  readonly limit: number;
}
