import type { Client } from '../model/client.ts';
import type { MachineSecret } from '../model/machine-secret.ts';

/** What a registration says of a client; the store adds `id`, and `clientId` by its `candidates`. */
export type NewClient = Omit<Client, 'id' | 'clientId'>;

/** Where clients are registered. A change is durable when its promise resolves. */
export interface ClientStore {
  /**
   * Registers the client under the first of `candidates` that no living client has; decided in the same
   * transaction as the insert, so that two registrations at once never share one. The resource server is
   * checked there too: `undefined` when it is gone.
   */
  create(client: NewClient, candidates: Iterable<string>): Promise<Client | undefined>;
  /** `false` when there is no living client with that record id. Its tokens die with it. */
  delete(id: number): Promise<boolean>;
  replaceSecret(id: number, secret: MachineSecret): Promise<boolean>;
  /** Revokes every token of the client that was issued at or before `moment` (epoch milliseconds). */
  revokeTokens(id: number, moment: number): Promise<boolean>;
  find(clientId: string): Promise<Client | undefined>;
  /** Living clients only, in no particular order. */
  findByIds(ids: readonly number[]): Promise<Client[]>;
  list(query: ClientQuery): Promise<Client[]>;
}

export interface ClientQuery {
  readonly resourceServerId?: number;
  /** Only records whose id is greater. */
  readonly after?: number;
  readonly limit: number;
}
