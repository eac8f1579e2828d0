/** What a sector identifier URI answers: the redirect URIs that its JSON array lists, or why there is no such array. */
export type SectorDocument =
  | { readonly redirectUris: readonly string[] }
  /** A phrase that follows the name of the field. It does not describe the network of the server. */
  | { readonly problem: string };

/** Requests sector identifier URIs (OpenID Connect Core §8.1). */
export interface SectorIdentifiers {
  /** Never rejects because of what the other server does. Takes a limited time and a limited memory. */
  read(uri: string): Promise<SectorDocument>;
}
