import type { Client } from '../../model/records/client.ts';
import type { ResourceServer } from '../../model/records/resource-server.ts';
import type { ResourceOwner } from '../../model/resource-owner.ts';

export interface DescribedClient {
  readonly client: Client;
  /** That of all clients that nobody registers. */
  readonly resourceServer: ResourceServer;
}

/**
 * Clients that nobody registers: the client_id is the URL of a document that describes the client
 * (draft-ietf-oauth-client-id-metadata-document).
 */
export interface DocumentClients {
  /**
   * The client as its document says now. Nothing is stored.
   *
   * @param source network address of the browser that asks
   * @throws OAuthError for the resource owner: the URL, its host or its document is not accepted, or too many are asked for
   */
  find(clientId: string, source: string): Promise<DescribedClient>;
  /**
   * The same client with a record, as a consent needs it.
   *
   * @throws OAuthError for the resource owner: an administrator has blocked the host meanwhile
   */
  keep(client: Client, by: Consenting): Promise<DescribedClient>;
}

/** Who consents, and from which network address. */
export interface Consenting {
  readonly owner: ResourceOwner;
  readonly source: string;
}
