// The tables of keys, one interface each.

export interface SealingKeyTable {
  id: string;
  key_bytes: Uint8Array;
  creation_date: number;
}

export interface SigningKeyTable {
  kid: string;
  algorithm: string;
  /** JSON of the members of the public key. */
  public_key: string;
  /** At most one of the next two is set; both are null when the private half is erased. */
  sealed_private_key: string | null;
  private_key_reference: string | null;
  published_at: number;
  signs_from: number;
  retired_at: number | null;
  compromised_at: number | null;
}

/** One row: the key of the digests under which the log names accounts. */
export interface DigestKeyTable {
  id: number;
  /** 32 random bytes. */
  key_bytes: Uint8Array;
}

/** One row: the key from which subjects are derived. It is never changed. */
export interface SubjectKeyTable {
  id: number;
  /** 32 random bytes. */
  key_bytes: Uint8Array;
}
