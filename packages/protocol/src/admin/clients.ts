import { generateSecret, rotatedSecret, storedSecret } from '../credentials/machine-secret.ts';
import { OAuthError } from '../errors.ts';
import { type Client, isPublicClient } from '../model/client.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { ClientStore, NewClient } from '../ports/client-store.ts';
import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import { redirectUriFault } from '../rules/redirect-uri.ts';
import {
  checkDescriptiveFields,
  checkName,
  checkScopes,
  checkText,
  Violations,
} from '../rules/registration.ts';
import { slugCandidates } from '../rules/slug.ts';

// A century: far enough that no sum of times leaves the safe integers.
const maxExpireDuration = 3_155_760_000;
const maxRedirectUris = 100;
const maxAttributes = 100;
const maxAttributeLength = 2000;

/** What may be submitted of a client. */
export type ClientRegistration = Omit<NewClient, 'secret' | 'tokensValidFrom' | 'resourceServerId'>;

/** A record together with its secret, which is shown this once; a public client has none. */
export interface ClientWithSecret {
  readonly client: Client;
  readonly secret: string | undefined;
}

export interface ClientAdministration {
  /**
   * @param secret only for records whose secret is known beforehand, like the demo's
   * @throws OAuthError `invalid_request` with every violation; `not_found` when the resource server is gone
   */
  create(
    registration: ClientRegistration,
    resourceServer: ResourceServer,
    secret?: string,
  ): Promise<ClientWithSecret>;
  /** All its tokens die. @throws OAuthError `not_found` */
  delete(clientId: string): Promise<void>;
  /**
   * The old secret counts for `overlapSeconds` more.
   * @throws OAuthError `not_found`; `invalid_request` for a public client
   */
  rotateSecret(clientId: string, overlapSeconds: number): Promise<ClientWithSecret>;
  /** Revokes every token issued to the client until now. @throws OAuthError `not_found` */
  revokeTokens(clientId: string): Promise<void>;
}

export interface ClientAdministrationDependencies {
  readonly clients: ClientStore;
  readonly clock: Clock;
  readonly random: Random;
}

export function clientAdministration({
  clients,
  clock,
  random,
}: ClientAdministrationDependencies): ClientAdministration {
  const existing = async (clientId: string): Promise<Client> => {
    const client = await clients.find(clientId);
    if (client === undefined) throw noSuchClient();
    return client;
  };

  return {
    async create(registration, resourceServer, chosenSecret) {
      checkRegistration(registration, resourceServer);
      const secret = registration.allowedImplicitGrant ? undefined : (chosenSecret ?? generateSecret(random));
      const client = await clients.create(
        {
          ...registration,
          scopes: [...new Set(registration.scopes)],
          resourceServerId: resourceServer.id,
          secret: secret === undefined ? undefined : storedSecret(secret),
          tokensValidFrom: 0,
        },
        slugCandidates(registration.clientName, 'client'),
      );
      if (client === undefined) {
        throw new OAuthError('not_found', { description: 'The resource server of the client is gone.' });
      }
      return { client, secret };
    },

    async delete(clientId) {
      const { id } = await existing(clientId);
      if (!(await clients.delete(id))) throw noSuchClient();
    },

    async rotateSecret(clientId, overlapSeconds) {
      const client = await existing(clientId);
      if (isPublicClient(client)) {
        throw new OAuthError('invalid_request', {
          description: 'An implicit-grant client is public and has no secret.',
        });
      }
      const secret = generateSecret(random);
      if (
        !(await clients.replaceSecret(
          client.id,
          rotatedSecret(secret, client.secret, clock.now(), overlapSeconds),
        ))
      ) {
        throw noSuchClient();
      }
      return { client, secret };
    },

    async revokeTokens(clientId) {
      const { id } = await existing(clientId);
      if (!(await clients.revokeTokens(id, clock.now()))) throw noSuchClient();
    },
  };
}

function checkRegistration(registration: ClientRegistration, resourceServer: ResourceServer): void {
  const violations = new Violations();
  checkName('clientName', registration.clientName, violations);
  checkDescriptiveFields(registration, violations);
  checkScopes(registration.scopes, violations);
  for (const scope of registration.scopes) {
    if (!resourceServer.scopes.includes(scope)) {
      violations.add('scopes', `${JSON.stringify(scope.slice(0, 40))} is not a scope of the resource server`);
    }
  }
  checkRedirectUris(registration.redirectUris, violations);
  checkGrants(registration, violations);
  checkAttributes(registration.attributes, violations);
  violations.throwIfAny();
}

function checkRedirectUris(redirectUris: readonly string[], violations: Violations): void {
  if (redirectUris.length > maxRedirectUris) {
    violations.add('redirectUris', `are more than ${maxRedirectUris}`);
  }
  for (const uri of redirectUris) {
    const fault = redirectUriFault(uri);
    if (fault !== undefined) violations.add('redirectUris', `${JSON.stringify(uri.slice(0, 80))} ${fault}`);
  }
}

function checkGrants(registration: ClientRegistration, violations: Violations): void {
  const { allowedClientCredentials, allowedImplicitGrant, expireDuration, redirectUris } = registration;
  if (allowedClientCredentials && allowedImplicitGrant) {
    violations.add(
      'allowedClientCredentials',
      'needs a confidential client, and allowedImplicitGrant makes the client public',
    );
  }
  if (allowedImplicitGrant && redirectUris.length === 0) {
    violations.add('redirectUris', 'an implicit-grant client needs at least one');
  }
  if (!Number.isSafeInteger(expireDuration) || expireDuration < 0 || expireDuration > maxExpireDuration) {
    violations.add('expireDuration', `is not a whole number of seconds from 0 to ${maxExpireDuration}`);
  }
}

function checkAttributes(attributes: Readonly<Record<string, string>>, violations: Violations): void {
  const entries = Object.entries(attributes);
  if (entries.length > maxAttributes) violations.add('attributes', `are more than ${maxAttributes}`);
  for (const [name, value] of entries) {
    checkText('attributes', name, maxAttributeLength, violations);
    checkText('attributes', value, maxAttributeLength, violations);
  }
}

function noSuchClient(): OAuthError {
  return new OAuthError('not_found', { description: 'There is no client with this clientId.' });
}
