import type { ClientRegistrationRecord, InitialToken } from '../../../model/records/client-registration.ts';

/** Reads what is kept of clients that registered themselves. */
export interface ClientRegistrationReader {
  find(clientRecordId: number): Promise<ClientRegistrationRecord | undefined>;
  /** Those that were last used before the time, also never, in the order of their clients. @param usedBefore epoch milliseconds */
  listIdle(query: {
    readonly usedBefore: number;
    readonly after: number;
    readonly limit: number;
  }): Promise<ClientRegistrationRecord[]>;
  /** How many were never used, without those beyond `most`. */
  countUnused(most: number): Promise<number>;
}

/** Changes it, within a transaction. */
export interface ClientRegistrationStore extends ClientRegistrationReader {
  create(registration: ClientRegistrationRecord): Promise<void>;
  update(
    clientRecordId: number,
    change: Pick<ClientRegistrationRecord, 'claimedName' | 'applicationType'>,
  ): Promise<void>;
  /** The time of the last use never decreases. */
  markUsed(clientRecordId: number, lastUsed: number): Promise<void>;
  /** `false` if there is none of this client. */
  remove(clientRecordId: number): Promise<boolean>;
}

/** Reads the initial access tokens, also those that have expired. */
export interface InitialTokenReader {
  find(id: string): Promise<InitialToken | undefined>;
  /** In the order of their ids. */
  list(query: { readonly after?: string; readonly limit: number }): Promise<InitialToken[]>;
}

/** Changes them, within a transaction. */
export interface InitialTokenStore extends InitialTokenReader {
  create(token: InitialToken): Promise<void>;
  /** Counts a client. `false`, and nothing is counted, if the token has ended or has as many as it can have. */
  countClient(id: string): Promise<boolean>;
  /** `false` if there is none of this id. */
  remove(id: string): Promise<boolean>;
}
