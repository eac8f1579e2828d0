/**
 * The key of all subjects (`sub`). It is made with the database, is never replaced, and goes where the database goes: with
 * another key every person would be another person to every client.
 */
export interface SubjectKeyStore {
  /** 32 random bytes. */
  read(): Promise<Uint8Array>;
}
