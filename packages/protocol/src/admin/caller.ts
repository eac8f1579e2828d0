import {
  clientAuthority,
  commandLineAuthority,
  isReservedAuthority,
  systemAuthority,
} from '../model/authority.ts';
import type { Client } from '../model/client.ts';
import { clientPrincipal, type Principal } from '../model/principal.ts';
import { type Identity, identityOf, type ResourceOwner } from '../model/resource-owner.ts';
import type { Scopes } from '../model/scope.ts';

/** Who administers. */
export interface Caller {
  /** What the caller creates is owned by this identity, and what it owns is the caller's. */
  readonly identity: Identity;
  readonly principal: Principal;
  /** Sees and changes everything. */
  readonly isAdministrator: boolean;
  /** The person; `undefined` for a client that acts for itself, and for a tool. */
  readonly owner: ResourceOwner | undefined;
  /** The client through which the caller comes; `undefined` for a tool. */
  readonly client: Client | undefined;
  /** What the access token allows by which the caller comes; `undefined` for a tool. */
  readonly access: Access | undefined;
  /** Network address; `''` for a tool. */
  readonly source: string;
}

export interface Access {
  readonly scopes: Scopes;
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
}

/** By what a caller comes over the network, and from where. */
type Coming = Pick<Caller, 'access' | 'source'> & { readonly client: Client };

/** A person who logged in; `undefined` when the authority that vouches for them is one that nobody can have. */
export function personCaller(owner: ResourceOwner, coming: Coming): Caller | undefined {
  if (isReservedAuthority(owner.authority)) return undefined;
  const { principal } = owner;
  return {
    identity: identityOf(owner),
    principal,
    isAdministrator: principal.adminPrincipal,
    owner,
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
    owner: undefined,
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
    owner: undefined,
    client: undefined,
    access: undefined,
    source: '',
  };
}
