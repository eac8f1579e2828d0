import {
  because,
  type Client,
  type Consenting,
  clientIdentityProvider,
  clientPrincipal,
  commandLineIdentityProvider,
  type Grant,
  type Identity,
  identityOf,
  isReservedIdentityProvider,
  OAuthError,
  type Principal,
  type Scopes,
  systemIdentityProvider,
} from '@watchword/protocol';
import type { Right } from './rights.ts';

/** The caller of an administration method: a user, a client, or a tool. */
export interface Caller {
  /** The record owner of everything that the caller creates. Its records belong to the caller. */
  readonly identity: Identity;
  readonly principal: Principal;
  /** Sees and changes everything. */
  readonly isAdministrator: boolean;
  /** What a client that acts for itself can administer, by its registration. Empty for people and tools. */
  readonly rights: readonly Right[];
  /** The right by which a client is an administrator for the operation that it asks for, and for no other; `undefined` for people and tools. */
  readonly right: Right | undefined;
  /** The user and the login; `undefined` for a client that acts for itself, and for a tool. */
  readonly login: Login | undefined;
  /** The client of the caller's access token; `undefined` for a tool. */
  readonly client: Client | undefined;
  /** The access token of the caller; `undefined` for a command-line tool. */
  readonly access: Access | undefined;
  /** Network address; `''` for a tool. */
  readonly source: string;
}

type Login = Pick<Grant, 'owner' | 'authentication'>;

interface Access {
  readonly tokenId: string;
  readonly scopes: Scopes;
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
}

/** The access token of a caller over the network, its client, and the network address. */
type Bearer = Pick<Caller, 'access' | 'source'> & { readonly client: Client };

const noRights = { rights: [], right: undefined } as const;

/** A user who logged in; `undefined` for a reserved identity provider, with which no user can log in. */
export function userCaller({ owner, authentication }: Login, bearer: Bearer): Caller | undefined {
  if (isReservedIdentityProvider(owner.identityProvider)) return undefined;
  const { principal } = owner;
  return {
    identity: identityOf(owner),
    principal,
    isAdministrator: principal.adminPrincipal,
    ...noRights,
    login: { owner, authentication },
    ...bearer,
  };
}

/** A user who consents to a client without a record, which gets one by that: no administrator, whoever it is. */
export function consentingCaller(client: Client, { owner, source }: Consenting): Caller {
  return {
    identity: identityOf(owner),
    principal: owner.principal,
    isAdministrator: false,
    ...noRights,
    login: undefined,
    client,
    access: undefined,
    source,
  };
}

/** A client that acts for itself: never equal to a user of that name, and an administrator only as far as its rights go. */
export function clientCaller(bearer: Bearer, rights: readonly Right[]): Caller {
  const { client } = bearer;
  return {
    identity: { identityProvider: clientIdentityProvider(client.id), name: client.clientId },
    principal: clientPrincipal(client.clientId),
    isAdministrator: false,
    rights,
    right: undefined,
    login: undefined,
    ...bearer,
  };
}

/** @param what what a client that acts for itself never does, such as `issue a signing key` @throws OAuthError `access_denied` */
export function requirePerson({ right }: Pick<Caller, 'right'>, what: string): void {
  if (right === undefined) return;
  throw new OAuthError('access_denied', because('never_by_machine', { what }));
}

/** @param what what the caller asks for, such as `see the settings` @throws OAuthError `access_denied` */
export function requireAdministrator({ isAdministrator }: Caller, what: string): void {
  if (isAdministrator) return;
  throw new OAuthError('access_denied', {
    description: `Only an administrator who logged in can ${what}.`,
    rule: 'administrator',
  });
}

/** The user of the command line. @param name of the user of the operating system */
export function commandLineCaller(name: string): Caller {
  return toolCaller({ identityProvider: commandLineIdentityProvider, name });
}

/** The server itself. */
export const systemCaller: Caller = toolCaller({
  identityProvider: systemIdentityProvider,
  name: 'watchword',
});

function toolCaller(identity: Identity): Caller {
  const principal = { ...clientPrincipal(identity.name), adminPrincipal: true };
  return {
    identity,
    principal,
    isAdministrator: true,
    ...noRights,
    login: undefined,
    client: undefined,
    access: undefined,
    source: '',
  };
}
