import type { Principal } from './principal.ts';

/**
 * Which person: the same name from another authority is somebody else, and so is a name in other letters.
 * Compared character by character.
 */
export interface Identity {
  /** The authentication module that vouches for the name, or the entity id of the identity provider. */
  readonly authority: string;
  readonly name: string;
}

/** A person who logged in and can grant access (RFC 6749 §1.1). */
export interface ResourceOwner {
  readonly authority: string;
  readonly principal: Principal;
}

export function isSameIdentity(a: Identity, b: Identity): boolean {
  return a.authority === b.authority && a.name === b.name;
}

export function identityOf({ authority, principal }: ResourceOwner): Identity {
  return { authority, name: principal.name };
}
