import type { SealingKey } from './sealing-key-store.ts';

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
