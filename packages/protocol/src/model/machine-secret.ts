import { type ClientSecret, isValidSecret } from './client-secret.ts';

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
  /** Epoch milliseconds; absent where it is not known. */
  readonly creationDate?: number | undefined;
  /** Of a client whose secrets were replaced or changed: all of them, and nothing else is valid. */
  readonly numbered?: NumberedSecrets | undefined;
}

export interface NumberedSecrets {
  /** The greatest id that was given. */
  readonly lastId: number;
  /** The newest first. One at least. */
  readonly secrets: readonly ClientSecret[];
}

/** Characters. A shorter secret can be guessed. */
export const strongSecretLength = 16;

export function canBeGuessed(secret: string): boolean {
  return secret.length < strongSecretLength;
}

/** Whether a secret that stays valid can be guessed, so that it was hashed slowly. */
export function isWeakSecret(secret: MachineSecret | undefined): boolean {
  if (secret === undefined) return false;
  const { numbered, hash } = secret;
  return numbered === undefined
    ? isSlowHash(hash)
    : numbered.secrets.some((each) => each.expires === 0 && isSlowHash(each.hash));
}

/** The slow hashes of the secrets that are valid, as texts. @param now epoch milliseconds */
export function slowHashes(secret: MachineSecret | undefined, now: number): string[] {
  return validHashes(secret, now).filter(isSlowHash).map(slowHashText);
}

function validHashes(secret: MachineSecret | undefined, now: number): Uint8Array[] {
  if (secret === undefined) return [];
  const { hash, previousHash, previousValidUntil, numbered } = secret;
  if (numbered !== undefined)
    return numbered.secrets.filter((each) => isValidSecret(each, now)).map((each) => each.hash);
  return previousHash !== undefined && now < previousValidUntil ? [hash, previousHash] : [hash];
}

export function slowHashText(hash: Uint8Array): string {
  return new TextDecoder('latin1').decode(hash);
}

export function isSlowHash(hash: Uint8Array): boolean {
  return hash.length !== digestLength;
}

const digestLength = 32;
