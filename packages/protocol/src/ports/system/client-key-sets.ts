import type { KeySet } from '@watchword/proofs';
import type { Client } from '../../model/records/client.ts';

/** A client whose keys are at a URL. */
export type KeyOwner = Pick<Client, 'clientId' | 'jwksUri'>;

/** The keys at the URL, or why there are none. */
export type KeySetAnswer =
  | KeySet
  /** A phrase that follows the name of the field. It does not describe the network of the server. */
  | { readonly problem: string };

/** The keys of clients at their URLs. They stay in memory, for a bounded time also while the URL cannot be read. */
export interface ClientKeySets {
  /** Never rejects because of what the other server does. Takes a limited time and a limited memory. */
  read(owner: KeyOwner): Promise<KeySetAnswer>;
  /**
   * A newer answer, for a signature by a key that is not in the known one; `undefined` if that is of less than a minute ago: signatures
   * by made-up keys cause no more requests.
   */
  readAgain(owner: KeyOwner): Promise<KeySetAnswer | undefined>;
}
