import type { Client } from '../model/client.ts';
import type { Identity } from '../model/resource-owner.ts';
import type { ResourceServer } from '../model/resource-server.ts';

/**
 * The registered clients and resource servers, held in memory: every method answers at once, at most
 * one second behind a change made on another node. A client whose resource server is gone is gone.
 */
export interface Registry {
  clientByClientId(clientId: string): Client | undefined;
  clientById(id: number): Client | undefined;
  resourceServerByKey(key: string): ResourceServer | undefined;
  resourceServerById(id: number): ResourceServer | undefined;
  /** How many there are; of one owner, where that is named. */
  countResourceServers(owner?: Identity): number;
  /** How many there are; of the resource servers of one owner, or of one resource server, where that is named. */
  countClients(of?: { readonly owner: Identity } | { readonly resourceServerId: number }): number;
  /**
   * Whether a public client has registered a redirect URI of this origin (for CORS). Of an origin on a loopback host, where
   * the port of a redirect URI may differ, the port is of no matter.
   */
  isPublicClientOrigin(origin: string): boolean;
}
