/** The key of the digests that identify accounts in the log: one for all nodes, for the lifetime of the database. */
export interface DigestKeyStore {
  /** 32 random bytes. */
  read(): Promise<Uint8Array>;
}
