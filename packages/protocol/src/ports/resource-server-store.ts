import type { MachineSecret } from '../model/machine-secret.ts';
import type { ResourceServer } from '../model/resource-server.ts';

/** What a registration says of a resource server; the store adds `id`, and `key` by its `candidates`. */
export type NewResourceServer = Omit<ResourceServer, 'id' | 'key'>;

/** Where resource servers are registered. A change is durable when its promise resolves. */
export interface ResourceServerStore {
  /**
   * Registers the resource server under the first of `candidates` that no living one has; decided in the
   * transaction of the insert. `undefined` when its owner has one of the same name already.
   */
  create(server: NewResourceServer, candidates: Iterable<string>): Promise<ResourceServer | undefined>;
  /** Deletes it and its clients in one transaction; `false` when there is none with that record id. */
  delete(id: number): Promise<boolean>;
  replaceSecret(id: number, secret: MachineSecret): Promise<boolean>;
  find(key: string): Promise<ResourceServer | undefined>;
  list(query: ResourceServerQuery): Promise<ResourceServer[]>;
}

export interface ResourceServerQuery {
  /** Only records whose id is greater. */
  readonly after?: number;
  readonly limit: number;
}
