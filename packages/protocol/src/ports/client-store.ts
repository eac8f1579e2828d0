import type { Client } from '../model/client.ts';
import type { MachineSecret } from '../model/machine-secret.ts';
import type { Identity } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';

/** What a registration says of a client; the store adds `id`, `revision`, and `clientId` by its `candidates`. */
export type NewClient = Omit<Client, 'id' | 'clientId' | 'revision'>;

export type ClientChange = Partial<Omit<NewClient, 'resourceServerId' | 'tokensValidFrom'>>;

/** Where clients are registered. A change is durable when its promise resolves. */
export interface ClientStore {
  /**
   * Registers the client under the first of `candidates` that no living client has; decided in the same
   * transaction as the insert, so that two registrations at once never share one. The resource server is
   * checked there too: `undefined` when it is gone.
   */
  create(client: NewClient, candidates: Iterable<string>): Promise<Client | undefined>;
  /** The client as it is then; `undefined` when there is no living one with that record id. */
  update(id: number, change: ClientChange): Promise<Client | undefined>;
  /** Takes the scopes from every client of the resource server; resolves with those that had one, as they were. */
  loseScopes(resourceServerId: number, scopes: Scopes): Promise<Client[]>;
  /**
   * Sets `skipConsent` and `trusted` to `false` in every client of the resource server that has one of the scopes;
   * resolves with those in which one was `true`, as they were.
   */
  endTrust(resourceServerId: number, scopes: Scopes): Promise<Client[]>;
  /** `false` when there is no living client with that record id. Its tokens die with it. */
  delete(id: number): Promise<boolean>;
  replaceSecret(id: number, secret: MachineSecret): Promise<boolean>;
  /** Revokes every token of the client that was issued at or before `moment` (epoch milliseconds). */
  revokeTokens(id: number, moment: number): Promise<boolean>;
  find(clientId: string): Promise<Client | undefined>;
  findById(id: number): Promise<Client | undefined>;
  /** Living clients only, in no particular order. */
  findByIds(ids: readonly number[]): Promise<Client[]>;
  list(query: ClientQuery): Promise<Client[]>;
}

export interface ClientQuery {
  readonly resourceServerId?: number;
  /** Only clients of resource servers of this owner. */
  readonly owner?: Identity;
  /** Only records whose id is greater. */
  readonly after?: number;
  readonly limit: number;
}
