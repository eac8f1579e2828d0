import { generateSecret, rotatedSecret, storedSecret } from '../credentials/machine-secret.ts';
import { OAuthError } from '../errors.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { NewResourceServer, ResourceServerStore } from '../ports/resource-server-store.ts';
import { checkDescriptiveFields, checkName, checkScopes, Violations } from '../rules/registration.ts';
import { slugCandidates } from '../rules/slug.ts';

/** What may be submitted of a resource server. */
export type ResourceServerRegistration = Omit<NewResourceServer, 'secret' | 'owner'>;

/** A record together with its secret, which is shown this once. */
export interface ResourceServerWithSecret {
  readonly resourceServer: ResourceServer;
  readonly secret: string;
}

export interface ResourceServerAdministration {
  /**
   * @param secret only for records whose secret is known beforehand, like the demo's
   * @throws OAuthError `invalid_request` with every violation; `conflict` when the owner has that name
   */
  create(
    registration: ResourceServerRegistration,
    owner: string,
    secret?: string,
  ): Promise<ResourceServerWithSecret>;
  /** Deletes it with its clients; all their tokens die. @throws OAuthError `not_found` */
  delete(key: string): Promise<void>;
  /** The old secret counts for `overlapSeconds` more. @throws OAuthError `not_found` */
  rotateSecret(key: string, overlapSeconds: number): Promise<ResourceServerWithSecret>;
}

export interface ResourceServerAdministrationDependencies {
  readonly resourceServers: ResourceServerStore;
  readonly clock: Clock;
  readonly random: Random;
}

export function resourceServerAdministration({
  resourceServers,
  clock,
  random,
}: ResourceServerAdministrationDependencies): ResourceServerAdministration {
  const existing = async (key: string): Promise<ResourceServer> => {
    const resourceServer = await resourceServers.find(key);
    if (resourceServer === undefined) throw noSuchResourceServer();
    return resourceServer;
  };

  return {
    async create(registration, owner, secret = generateSecret(random)) {
      checkRegistration(registration);
      const resourceServer = await resourceServers.create(
        { ...registration, scopes: [...new Set(registration.scopes)], owner, secret: storedSecret(secret) },
        slugCandidates(registration.name, 'resource-server'),
      );
      if (resourceServer === undefined) {
        throw new OAuthError('conflict', {
          description: 'The owner has a resource server of this name already; choose another name.',
        });
      }
      return { resourceServer, secret };
    },

    async delete(key) {
      const { id } = await existing(key);
      if (!(await resourceServers.delete(id))) throw noSuchResourceServer();
    },

    async rotateSecret(key, overlapSeconds) {
      const resourceServer = await existing(key);
      const secret = generateSecret(random);
      const stored = rotatedSecret(secret, resourceServer.secret, clock.now(), overlapSeconds);
      if (!(await resourceServers.replaceSecret(resourceServer.id, stored))) throw noSuchResourceServer();
      return { resourceServer, secret };
    },
  };
}

function checkRegistration(registration: ResourceServerRegistration): void {
  const violations = new Violations();
  checkName('name', registration.name, violations);
  checkDescriptiveFields(registration, violations);
  checkScopes(registration.scopes, violations);
  violations.throwIfAny();
}

function noSuchResourceServer(): OAuthError {
  return new OAuthError('not_found', { description: 'There is no resource server with this key.' });
}
