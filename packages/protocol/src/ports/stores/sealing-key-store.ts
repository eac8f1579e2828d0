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
