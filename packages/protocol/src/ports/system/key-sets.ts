import type { KeySet } from '@watchword/proofs';
import type { Client } from '../../model/records/client.ts';

/** The keys, or why there are none. */
export type KeySetAnswer =
  | KeySet
  /** A phrase that follows the name of what has the keys. It does not describe the network of the server. */
  | { readonly problem: string };

/** Keys that others can change. They stay in memory, for a bounded time also while newer ones cannot be read. */
export interface KeySets<Owner> {
  /** Never rejects because of what has the keys. Takes a limited time and a limited memory. */
  read(owner: Owner): Promise<KeySetAnswer>;
  /**
   * A newer answer, for a signature by a key that is not in the known one; `undefined` if that is of less than a minute ago: signatures
   * by made-up keys cause no more requests.
   */
  readAgain(owner: Owner): Promise<KeySetAnswer | undefined>;
}

/** A client whose keys are at a URL. */
export type KeyOwner = Pick<Client, 'clientId' | 'jwksUri'>;

/** The keys of clients at their URLs. */
export type ClientKeySets = KeySets<KeyOwner>;

/** The keys of issuers, by `issuer`, where the operator says that they are. */
export type IssuerKeySets = KeySets<string>;
