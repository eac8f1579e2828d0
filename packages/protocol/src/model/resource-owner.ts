import type { Principal } from './principal.ts';

/**
 * The name of a person at an identity provider. The same name at another identity provider is another person, and so is a
 * name in other letters. Compared character by character.
 */
export interface Identity {
  /** The identity provider: the local accounts, an authentication module by its name, or an entity id. */
  readonly identityProvider: string;
  readonly name: string;
}

/** A person who logged in and can grant access (RFC 6749 §1.1). */
export interface ResourceOwner {
  /** The identity provider, as in {@link Identity}. */
  readonly identityProvider: string;
  /**
   * `sub` of the person: the same for as long as the person has an account at the identity provider, and never that of another
   * person, also when a name is given to another person.
   */
  readonly subject: string;
  readonly principal: Principal;
}

export function isSameIdentity(a: Identity, b: Identity): boolean {
  return a.identityProvider === b.identityProvider && a.name === b.name;
}

export function identityOf({ identityProvider, principal }: ResourceOwner): Identity {
  return { identityProvider, name: principal.name };
}

// Bytes of UTF-8. An index of PostgreSQL has no longer rows than a third of a page ("B-Tree Indexes", 2704 bytes).
const maxKeyBytes = 2500;

/** Whether every database can find a row by these texts together. */
export function isStorableKey(...texts: readonly string[]): boolean {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= maxKeyBytes;
}
