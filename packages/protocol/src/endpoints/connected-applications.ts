import { type Client, isRevokedWithClient } from '../model/client.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { Scopes } from '../model/scope.ts';
import { remainingScopesOf } from '../openid/scopes.ts';
import type { RememberedConsent } from '../ports/consent-store.ts';
import type { GrantUse } from '../ports/grant-store.ts';
import type { Registry } from '../ports/registry.ts';

/** A client that has grants of a resource owner, or that gets one again without a question. */
export interface ConnectedApplication {
  readonly client: Client;
  readonly resourceServer: ResourceServer;
  /** The scopes of all its grants; none when only a consent is remembered. */
  readonly scopes: Scopes;
  /** Remembered consent: for these scopes the client does not have to ask. */
  readonly consentedScopes: Scopes;
  /** Epoch milliseconds of the first of the grants, or of the first consent. */
  readonly since: number;
  /** Epoch milliseconds: when a token was last issued to it; `undefined` without a grant. */
  readonly lastUsed: number | undefined;
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
      const remembered = (consentsOf.get(id) ?? []).filter(
        (consent) => allScopes([consent], client, resourceServer).length > 0,
      );
      const begins =
        valid.length > 0 ? valid.map(({ grant }) => grant.creationDate) : remembered.map(savedAt);
      if (begins.length === 0) return [];
      return {
        client,
        resourceServer,
        scopes: allScopes(
          valid.map(({ grant }) => grant),
          client,
          resourceServer,
        ),
        consentedScopes: allScopes(remembered, client, resourceServer),
        since: Math.min(...begins),
        lastUsed: valid.length === 0 ? undefined : Math.max(...valid.map(({ lastUsed }) => lastUsed)),
      };
    })
    .toSorted((a, b) => (b.lastUsed ?? 0) - (a.lastUsed ?? 0) || b.since - a.since);
}

function savedAt(consent: RememberedConsent): number {
  return consent.savedAt;
}

/** Those that the client still has. */
function allScopes(
  of: readonly { readonly scopes: Scopes }[],
  client: Client,
  resourceServer: ResourceServer,
): Scopes {
  return remainingScopesOf([...new Set(of.flatMap(({ scopes }) => scopes))], client, resourceServer);
}
