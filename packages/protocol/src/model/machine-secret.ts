/**
 * The stored secret of a client or a resource server. 256 random bits need no slow hash, so a SHA-256 digest is all that is kept.
 * An imported secret that can be guessed is kept as a slow hash. After a rotation with an overlap, the previous secret is valid
 * too, until `previousValidUntil`.
 */
export interface MachineSecret {
  /** SHA-256 digest, 32 bytes; or the UTF-8 of a slow hash, argon2id in PHC string form, which is longer. */
  readonly hash: Uint8Array;
  /** In the forms of `hash`. */
  readonly previousHash: Uint8Array | undefined;
  /** Epoch milliseconds; 0 when there is no previous secret. */
  readonly previousValidUntil: number;
}

/** Characters. A shorter secret can be guessed. */
export const strongSecretLength = 16;

export function canBeGuessed(secret: string): boolean {
  return secret.length < strongSecretLength;
}

/** Whether the secret that is valid now can be guessed, so that it was hashed slowly. */
export function isWeakSecret(secret: MachineSecret | undefined): boolean {
  return secret !== undefined && isSlowHash(secret.hash);
}

/** The slow hashes of the secrets that are valid, as texts. @param now epoch milliseconds */
export function slowHashes(secret: MachineSecret | undefined, now: number): string[] {
  if (secret === undefined) return [];
  const { hash, previousHash, previousValidUntil } = secret;
  const isPreviousValid = previousHash !== undefined && now < previousValidUntil;
  return [hash, ...(isPreviousValid ? [previousHash] : [])].filter(isSlowHash).map(slowHashText);
}

export function slowHashText(hash: Uint8Array): string {
  return new TextDecoder('latin1').decode(hash);
}

export function isSlowHash(hash: Uint8Array): boolean {
  return hash.length !== digestLength;
}

const digestLength = 32;
