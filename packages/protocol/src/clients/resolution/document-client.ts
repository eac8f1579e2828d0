import { noKeys } from '@watchword/proofs';
import { defaultsOf } from '../../model/fields/field.ts';
import { resourceServerFields } from '../../model/fields/resource-server.ts';
import type { Client } from '../../model/records/client.ts';
import type { ResourceServer } from '../../model/records/resource-server.ts';
import { systemIdentityProvider } from '../../model/reserved-identity-providers.ts';
import { openClientsKey } from '../../rules/built-in-records.ts';
import { documentHost, notStored } from '../../rules/document-client.ts';
import { clientDefaults } from '../registration/client-rules.ts';
import type { ClientDocument } from './client-document.ts';

/** The home of all clients that nobody registers, which has no scopes. It gets its record with the first of them. */
export const openClientsHome = {
  ...defaultsOf(resourceServerFields),
  name: 'Clients that nobody registered',
  description: 'The home of clients that bring their registration with them.',
  contactName: 'Operator',
  owner: 'watchword',
  ownerAuthority: systemIdentityProvider,
};

/** The same without a record. Nobody has its secret. */
export const unstoredHome: ResourceServer = {
  ...openClientsHome,
  id: notStored,
  key: openClientsKey,
  secret: { hash: new Uint8Array(32), previousHash: undefined, previousValidUntil: 0 },
  managedBy: '',
  revision: 0,
};

// Seconds. Nobody knows who the client is, and its user can always log in again.
const tokenLifetime = 3600;

/**
 * The client as its document describes it now.
 *
 * @param home the built-in resource server of clients that no resource server registered
 * @param stored its record, if a user has consented before
 */
export function documentClient(
  clientId: string,
  document: ClientDocument,
  home: ResourceServer,
  stored: Client | undefined,
): Client {
  const { name: clientName, keys } = document;
  const described = describedFields({ ...document, clientName, ...authenticationBy(keys) });
  const known = stored?.resourceServerId === home.id ? stored : unstored(clientId, home);
  return isDescribedAs(known, described) ? known : { ...known, ...described, ...untrusted };
}

/** The fields that follow the document. */
type DescribedFields = Pick<Client, (typeof describedNames)[number]>;

const describedNames = [
  'clientName',
  'redirectUris',
  'useRefreshTokens',
  'dpopBoundAccessTokens',
  'requirePushedAuthorizationRequests',
  'requireSignedRequestObject',
  'confidential',
  'tokenEndpointAuthMethod',
  'jwks',
  'jwksUri',
] as const;

function authenticationBy(keys: ClientDocument['keys']) {
  const method = keys === undefined ? '' : 'private_key_jwt';
  return {
    confidential: keys !== undefined,
    tokenEndpointAuthMethod: method,
    ...(keys ?? { jwks: noKeys, jwksUri: '' }),
  } as const;
}

/** Those that follow the document, of a client. */
export function describedFields(client: DescribedFields): DescribedFields {
  return Object.fromEntries(describedNames.map((name) => [name, client[name]])) as unknown as DescribedFields;
}

/** Whether the client is as the document of the other one says. */
export function isDescribedAs(client: DescribedFields, other: DescribedFields): boolean {
  return JSON.stringify(describedFields(client)) === JSON.stringify(describedFields(other));
}

/** An administrator who confirmed the client saw another document. */
export const untrusted = { trusted: false, skipConsent: false, keepsUserData: false } as const;

function unstored(clientId: string, home: ResourceServer): Client {
  return {
    ...clientDefaults,
    id: notStored,
    clientId,
    managedBy: '',
    contactName: documentHost({ clientId }),
    resourceServerId: home.id,
    scopes: [],
    openidScopes: ['profile'],
    expireDuration: tokenLifetime,
    ...untrusted,
    secret: undefined,
    formerResourceServers: [],
    tokensValidFrom: 0,
    revision: 0,
  };
}
