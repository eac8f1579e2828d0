import {
  type Client,
  type GrantUse,
  isLoopbackHost,
  isRevokedWithClient,
  type ListedAccess,
  listedAccess,
  type Registry,
  type RememberedConsent,
  type ResourceServer,
  type Scopes,
  vendorOf,
} from '@watchword/protocol';

/** A client that has grants of a resource owner, or that gets one again without a question. */
export interface ConnectedApplication {
  readonly client: Client;
  readonly resourceServer: ResourceServer;
  /** What all its grants give; nothing when only a consent is remembered. */
  readonly granted: ListedAccess;
  /** Remembered consent: for this the client does not have to ask. */
  readonly consented: ListedAccess;
  /** Epoch milliseconds of the first of the grants, or of the first consent. */
  readonly since: number;
  /** Epoch milliseconds: when a token was last issued to it; `undefined` without a grant. */
  readonly lastUsed: number | undefined;
  /** What the grant of that token gives. */
  readonly lastAccess: ListedAccess | undefined;
  /** Who is responsible for a tool, see {@link vendorOf}; `undefined` for a client that a resource server registered. */
  readonly vendor: string | undefined;
}

/**
 * The origin of an application, where a user can give it access again. An administrator has to vouch for it, and its redirect URIs must agree
 * on one: `undefined` otherwise.
 */
export function homeOf({
  trusted,
  redirectUris,
}: Pick<Client, 'trusted' | 'redirectUris'>): string | undefined {
  const urls = redirectUris.map((uri) => new URL(uri)).filter(({ protocol }) => /^https?:$/.test(protocol));
  const hosted = urls.filter(({ hostname }) => !isLoopbackHost(hostname));
  const [origin, ...others] = new Set((hosted.length > 0 ? hosted : urls).map((url) => url.origin));
  return trusted && others.length === 0 ? origin : undefined;
}

/** Groups the grants and consents of one resource owner by client. The client that was used last comes first. */
export function connectedApplications(
  uses: readonly GrantUse[],
  consents: readonly RememberedConsent[],
  registry: Registry,
): ConnectedApplication[] {
  const grantsOf = Map.groupBy(uses, ({ grant }) => grant.clientRecordId);
  const consentsOf = Map.groupBy(consents, ({ clientRecordId }) => clientRecordId);
  return [...new Set([...grantsOf.keys(), ...consentsOf.keys()])]
    .flatMap((id) => {
      const client = registry.clientById(id);
      const resourceServer = client && registry.resourceServerById(client.resourceServerId);
      if (client === undefined || resourceServer === undefined) return [];
      const valid = (grantsOf.get(id) ?? []).filter(({ grant }) => !isRevokedWithClient(client, grant));
      const access = (of: readonly { readonly scopes: Scopes }[]) =>
        listedAccess(
          of.map(({ scopes }) => scopes),
          client,
          resourceServer,
          registry,
        );
      const remembered = (consentsOf.get(id) ?? []).filter((consent) => hasAccess(access([consent])));
      const begins =
        valid.length > 0 ? valid.map(({ grant }) => grant.creationDate) : remembered.map(savedAt);
      if (begins.length === 0) return [];
      const [last] = valid.toSorted((a, b) => b.lastUsed - a.lastUsed);
      return {
        client,
        resourceServer,
        granted: access(valid.map(({ grant }) => grant)),
        consented: access(remembered),
        since: Math.min(...begins),
        lastUsed: last?.lastUsed,
        lastAccess: last && access([last.grant]),
        vendor: vendorOf(client, resourceServer),
      };
    })
    .toSorted((a, b) => (b.lastUsed ?? 0) - (a.lastUsed ?? 0) || b.since - a.since);
}

function savedAt(consent: RememberedConsent): number {
  return consent.savedAt;
}

function hasAccess({ scopes, others }: ListedAccess): boolean {
  return scopes.length > 0 || others.length > 0;
}

/** Some of the tools of a resource owner, as forms name them: all, those of one vendor, or those that registered themselves. */
export type ToolSelection = 'all' | 'registered' | `at:${string}`;

/** @param vendor see {@link vendorOf} */
export function toolsOf(vendor: string): ToolSelection {
  return vendor === '' ? 'registered' : `at:${vendor}`;
}

/** @param text what a form or a link says. @param vendor of the client */
export function isSelected(text: string, vendor: string | undefined): boolean {
  return vendor !== undefined && (text === 'all' || text === toolsOf(vendor));
}
