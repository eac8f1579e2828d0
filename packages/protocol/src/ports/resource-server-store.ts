import type { MachineSecret } from '../model/machine-secret.ts';
import type { Identity } from '../model/resource-owner.ts';
import type { ResourceServer } from '../model/resource-server.ts';

/** What a registration says of a resource server; the store adds `id`, `revision`, and `key` by its `candidates`. */
export type NewResourceServer = Omit<ResourceServer, 'id' | 'key' | 'revision'>;

export type ResourceServerChange = Partial<NewResourceServer>;

/** Where resource servers are registered. A change is durable when its promise resolves. */
export interface ResourceServerStore {
  /**
   * Registers the resource server under the first of `candidates` that no living one has; decided in the
   * transaction of the insert. `undefined` when its owner has one of the same name already.
   */
  create(server: NewResourceServer, candidates: Iterable<string>): Promise<ResourceServer | undefined>;
  /**
   * The resource server as it is then; `undefined` when there is no living one with that record id, or its owner
   * has another of the same name.
   */
  update(id: number, change: ResourceServerChange): Promise<ResourceServer | undefined>;
  /** Deletes it and its clients in one transaction; `false` when there is none with that record id. */
  delete(id: number): Promise<boolean>;
  replaceSecret(id: number, secret: MachineSecret): Promise<boolean>;
  find(key: string): Promise<ResourceServer | undefined>;
  findById(id: number): Promise<ResourceServer | undefined>;
  /** How many resource servers the owner has, together with their clients; counts no further than `most`. */
  countRecords(owner: Identity, most: number): Promise<number>;
  /** By id, the least first. */
  list(query: ResourceServerQuery): Promise<ResourceServer[]>;
}

export interface ResourceServerQuery {
  readonly owner?: Identity;
  /** Only records whose id is greater. */
  readonly after?: number;
  readonly limit: number;
}
