import {
  clientAuthority,
  commandLineAuthority,
  isReservedAuthority,
  systemAuthority,
} from '../model/authority.ts';
import type { Client } from '../model/client.ts';
import type { Grant } from '../model/grant.ts';
import { clientPrincipal, type Principal } from '../model/principal.ts';
import { type Identity, identityOf } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';

/** Who administers. */
export interface Caller {
  /** What the caller creates is owned by this identity, and what it owns is the caller's. */
  readonly identity: Identity;
  readonly principal: Principal;
  /** Sees and changes everything. */
  readonly isAdministrator: boolean;
  /** The person, and how they logged in; `undefined` for a client that acts for itself, and for a tool. */
  readonly login: Login | undefined;
  /** The client through which the caller comes; `undefined` for a tool. */
  readonly client: Client | undefined;
  /** What the access token allows by which the caller comes; `undefined` for a tool. */
  readonly access: Access | undefined;
  /** Network address; `''` for a tool. */
  readonly source: string;
}

export type Login = Pick<Grant, 'owner' | 'authentication'>;

export interface Access {
  readonly scopes: Scopes;
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
}

/** By what a caller comes over the network, and from where. */
type Coming = Pick<Caller, 'access' | 'source'> & { readonly client: Client };

/** A person who logged in; `undefined` when their identity provider is a reserved one, under which no person can log in. */
export function personCaller({ owner, authentication }: Login, coming: Coming): Caller | undefined {
  if (isReservedAuthority(owner.authority)) return undefined;
  const { principal } = owner;
  return {
    identity: identityOf(owner),
    principal,
    isAdministrator: principal.adminPrincipal,
    login: { owner, authentication },
    ...coming,
  };
}

/** A client that acts for itself: never an administrator, and never equal to a person of that name. */
export function clientCaller(coming: Coming): Caller {
  const { client } = coming;
  return {
    identity: { authority: clientAuthority(client.id), name: client.clientId },
    principal: clientPrincipal(client.clientId),
    isAdministrator: false,
    login: undefined,
    ...coming,
  };
}

/** Whoever sits at the command line. @param name of the user of the operating system */
export function commandLineCaller(name: string): Caller {
  return toolCaller({ authority: commandLineAuthority, name });
}

/** The server itself. */
export const systemCaller: Caller = toolCaller({ authority: systemAuthority, name: 'watchword' });

function toolCaller(identity: Identity): Caller {
  const principal = { ...clientPrincipal(identity.name), adminPrincipal: true };
  return {
    identity,
    principal,
    isAdministrator: true,
    login: undefined,
    client: undefined,
    access: undefined,
    source: '',
  };
}
