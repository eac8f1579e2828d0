import type { MachineSecret } from '../../../model/machine-secret.ts';
import type { ResourceServer } from '../../../model/records/resource-server.ts';
import type { Identity } from '../../../model/resource-owner.ts';
import type { ManagedChange, ManagedRecords } from './configuration-store.ts';

/** A resource server to register. The store adds `id` and `revision`, and chooses `key` from the candidates. */
export type NewResourceServer = Omit<ResourceServer, 'id' | 'key' | 'revision' | 'managedBy'> & ManagedChange;

export type ResourceServerChange = Partial<NewResourceServer>;

/** Stores resource servers. A change is durable when its promise resolves. A deleted one is not found and cannot be changed. */
export interface ResourceServerStore extends ManagedRecords<ResourceServer> {
  /**
   * Registers the resource server with the first of `candidates` that no other resource server has as its `key`. The
   * transaction of the insert decides. `undefined` if its owner has another resource server of the same name.
   */
  create(server: NewResourceServer, candidates: Iterable<string>): Promise<ResourceServer | undefined>;
  /**
   * The resource server after the change; `undefined` if there is none with the record id, or its owner has another one of the
   * same name.
   */
  update(id: number, change: ResourceServerChange): Promise<ResourceServer | undefined>;
  /** Deletes the resource server and its clients in one transaction. `false` if there is none with the record id. */
  delete(id: number): Promise<boolean>;
  replaceSecret(id: number, secret: MachineSecret): Promise<boolean>;
  find(key: string): Promise<ResourceServer | undefined>;
  findById(id: number): Promise<ResourceServer | undefined>;
  /** Number of resource servers of the owner and of their clients, together. It counts to `most` and not further. */
  countRecords(owner: Identity, most: number): Promise<number>;
  /** In the order of ids. */
  list(query: ResourceServerQuery): Promise<ResourceServer[]>;
  /**
   * The URIs (`resources`) of all in any order, with those for which JWTs can be valid that were issued for a resource server which has
   * been deleted or has lost them (`formerResources`).
   */
  listUris(): Promise<KnownUri[]>;
  /** Number of all resource servers. */
  count(): Promise<number>;
}

export interface KnownUri {
  readonly uri: string;
  /** Of the resource server that has it, or had it. */
  readonly id: number;
  readonly key: string;
  /** Epoch milliseconds: until when JWTs for it can be valid; `undefined` if the resource server has it. */
  readonly until: number | undefined;
}

/** A URI that a resource server had. */
export interface FormerResource {
  readonly uri: string;
  /** Epoch milliseconds: until when a JWT for it can be valid. */
  readonly until: number;
}

export interface ResourceServerQuery {
  readonly owner?: Identity;
  /** Only records whose id is greater. */
  readonly after?: number;
  /** Leaves out resource servers whose searched fields cannot contain this text, which is in the form of searches. Others can come too. */
  readonly mayContain?: string | undefined;
  readonly limit: number;
}
