import type { Client } from '../../model/records/client.ts';
import type { ResourceServer } from '../../model/records/resource-server.ts';
import type { Identity } from '../../model/resource-owner.ts';

/**
 * The registered clients and resource servers, held in memory. Every method but `refresh` returns immediately. A change on
 * another node is visible after at most one second. A client of a deleted resource server is not found.
 */
export interface Registry {
  clientByClientId(clientId: string): Client | undefined;
  clientById(id: number): Client | undefined;
  resourceServerByKey(key: string): ResourceServer | undefined;
  resourceServerById(id: number): ResourceServer | undefined;
  /** The resource server that has the URI among its `resources`, in any spelling. */
  resourceServerByUri(uri: string): ResourceServer | undefined;
  resourceServers(): Iterable<ResourceServer>;
  /** Number of resource servers. @param owner counts only those of this owner */
  countResourceServers(owner?: Identity): number;
  /** Number of clients. @param of counts only those of this owner, or of this resource server */
  countClients(of?: { readonly owner: Identity } | { readonly resourceServerId: number }): number;
  /**
   * Record ids of the clients of other resource servers that can use this one, or could until a moment ago
   * ({@link Client.otherResourceServers}, {@link Client.formerResourceServers}).
   */
  clientsOfOthers(resourceServerId: number): ReadonlySet<number>;
  /** Record ids of the clients to which users log in, and that no administrator has confirmed ({@link Client.trusted}). */
  unconfirmedClients(): ReadonlySet<number>;
  /** Record ids of the clients whose secrets all expire, or have expired. */
  expiringClients(): ReadonlySet<number>;
  /**
   * Whether a public client has registered a redirect URI of this origin (for CORS). For a loopback host the
   * port is ignored, because the port of its redirect URI can differ (RFC 8252 §7.3).
   */
  isPublicClientOrigin(origin: string): boolean;
  /**
   * Applies the changes that other nodes committed before the call: before a request fails because of a record that another
   * node can have registered or changed a moment ago. Callers share a read of the database.
   *
   * @throws StoreUnavailableError
   */
  refresh(): Promise<unknown>;
}
