/** One of the secrets of a client. */
export interface ClientSecret {
  /** A newer secret has a greater one; it is not given again while the client has any secret. */
  readonly id: number;
  readonly description: string;
  /** Epoch milliseconds; 0 where it is not known, because an earlier release made the secret. */
  readonly creationDate: number;
  /** Epoch milliseconds: valid before; 0 = it never expires. */
  readonly expires: number;
  /** SHA-256 digest, or a slow hash of a secret that can be guessed. */
  readonly hash: Uint8Array;
}

/** Secrets of one client that are valid at the same time. */
export const maxClientSecrets = 5;

/** @param now epoch milliseconds */
export function isValidSecret({ expires }: Pick<ClientSecret, 'expires'>, now: number): boolean {
  return expires === 0 || now < expires;
}

/** Epoch milliseconds of the last date that there is, for what never ends; pages and commands can show it. */
export const lastDate = 8_640_000_000_000_000;
