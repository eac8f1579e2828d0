/**
 * The key of all subjects (`sub`). It is made when the database is created, is part of the database, and is never replaced:
 * with another key every user would be another user for every client.
 */
export interface SubjectKeyStore {
  /** 32 random bytes. */
  read(): Promise<Uint8Array>;
}
