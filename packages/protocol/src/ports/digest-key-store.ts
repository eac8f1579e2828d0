/** The key under which the log names accounts; one for all nodes, for as long as there is the database. */
export interface DigestKeyStore {
  /** 32 random bytes. */
  read(): Promise<Uint8Array>;
}
