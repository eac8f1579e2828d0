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

/** Stores the keys with which the server seals values for browsers. All nodes share them. */
export interface SealingKeyStore {
  /** Newest first. */
  list(): Promise<SealingKey[]>;
  /** Stores a new key and removes the keys that were created before `expired` (epoch milliseconds), both or neither. */
  rotate(key: SealingKey, expired: number): Promise<void>;
}

export interface SealingKey {
  /** Short text of `A-Za-z0-9_-`. */
  readonly id: string;
  /** 32 random bytes. */
  readonly key: Uint8Array;
  /** Epoch milliseconds. */
  readonly creationDate: number;
}

/**
 * The key of the digests that identify accounts in the log and count their failed logins, and of the cookies of known devices: one for all
 * nodes, until it is renewed.
 */
export interface DigestKeyStore {
  /** 32 random bytes. */
  read(): Promise<Uint8Array>;
}

/** Replaces the keys of a database that another party knows. */
export interface KeyRenewalStore {
  /** Replaces every sealing key by this one, and the key of digests. @param digestKey 32 random bytes */
  renew(sealingKey: SealingKey, digestKey: Uint8Array): Promise<void>;
}

/**
 * The key of all subjects (`sub`). It is made when the database is created, is part of the database, and is never replaced:
 * with another key every user would be another user for every client.
 */
export interface SubjectKeyStore {
  /** 32 random bytes. */
  read(): Promise<Uint8Array>;
}
