import { type Client, isPublicClient } from '../model/client.ts';
import type { Grant } from '../model/grant.ts';
import { identityOf, type ResourceOwner } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConsentKey, ConsentStore } from '../ports/consent-store.ts';
import type { AuthorizationRequest } from './request.ts';

export interface RememberedConsentDependencies {
  readonly consents: ConsentStore;
  readonly clock: Clock;
  readonly issuer: string;
}

/** What the owner need not be asked again about this client (contract of the consent page). */
export class RememberedConsent {
  readonly #deps: RememberedConsentDependencies;

  constructor(deps: RememberedConsentDependencies) {
    this.#deps = deps;
  }

  /** The scopes that the owner agreed to before, whether they are asked for now or not. */
  async agreed(request: AuthorizationRequest, client: Client, owner: ResourceOwner): Promise<Scopes> {
    return this.provesWhoAsks(request, client) ? this.#deps.consents.find(consentKey(request, owner)) : [];
  }

  /**
   * Remembers the answer: what was asked and granted counts, what was asked and not granted no longer.
   *
   * @param agreed what was agreed to before
   * @param grant what the answer came to: where that is not stored, nothing is remembered
   */
  async remember(
    request: AuthorizationRequest,
    client: Client,
    agreed: Scopes,
    granted: Scopes,
    grant: Grant,
  ): Promise<void> {
    if (!this.provesWhoAsks(request, client)) return;
    const { consents, clock } = this.#deps;
    const kept = agreed.filter((scope) => !request.scopes.includes(scope));
    await consents.save(consentKey(request, grant.owner), [...kept, ...granted], clock.now(), grant.id);
  }

  /**
   * Anybody can claim to be a public client. Its answer goes to an https address that is its own, or to a page
   * of this server; at a loopback port or a private-use scheme any program may listen, so there the owner is
   * asked each time (RFC 8252 §8.6, OAuth 2.1 §7.3.1).
   */
  provesWhoAsks({ redirectUri }: AuthorizationRequest, client: Client): boolean {
    return (
      !isPublicClient(client) ||
      redirectUri.startsWith('https://') ||
      redirectUri.startsWith(`${this.#deps.issuer}/`)
    );
  }
}

function consentKey({ clientRecordId, redirectUri }: AuthorizationRequest, owner: ResourceOwner): ConsentKey {
  return { owner: identityOf(owner), subject: owner.subject, clientRecordId, redirectUri };
}
