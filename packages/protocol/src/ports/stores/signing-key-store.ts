import type { SigningKey } from '../../model/records/signing-key.ts';

/** Reads the keys that the server signs JWTs with. All nodes share them. */
export interface SigningKeyReader {
  /** The key that signs last is first; of equal ones the greater `kid`. */
  list(): Promise<SigningKey[]>;
}

/** Changes signing keys, within a transaction. */
export interface SigningKeyStore extends SigningKeyReader {
  /** `false`, and nothing is stored, if there is a key with this `kid`. */
  insert(key: SigningKey): Promise<boolean>;
  /** Replaces the times and the private half of the key with this `kid`. */
  update(key: SigningKey): Promise<void>;
  remove(kid: string): Promise<void>;
}
