/** What the server keeps of a client that registered itself (RFC 7591), beside its record. */
export interface ClientRegistrationRecord {
  readonly clientRecordId: number;
  /** SHA-256 digest of its registration access token (RFC 7592 §3), which nobody can read again. */
  readonly tokenDigest: Uint8Array;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Epoch milliseconds: the hour in which a token was last issued to it; 0 if none was. */
  readonly lastUsed: number;
  /** The initial access token with which it came; `undefined` where none is needed. */
  readonly initialTokenId: string | undefined;
  /** What it calls itself, without what cannot be shown; `''` if that is nothing. Its record has the host beside it. */
  readonly claimedName: string;
  /** `web` or `native` (OpenID Connect Registration §2). */
  readonly applicationType: string;
}

/** An initial access token (RFC 7591 §1.2): whoever has it can register clients. */
export interface InitialToken {
  /** UUIDv7 in canonical text form, which the token names. */
  readonly id: string;
  /** SHA-256 digest of the rest of the token. */
  readonly digest: Uint8Array;
  /** Who has it, for administrators. */
  readonly note: string;
  /** Epoch milliseconds. */
  readonly creationDate: number;
  /** Epoch milliseconds; 0 = never. */
  readonly expires: number;
  /** How many clients can be registered with it; 0 = without limit. */
  readonly maxClients: number;
  /** How many were. */
  readonly clients: number;
}
