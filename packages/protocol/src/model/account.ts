import type { Principal } from './principal.ts';

/** The identity provider of every local account (see `Identity`). */
export const accountIdentityProvider = 'password';

/** A local account of the authentication module `password`. */
export interface Account {
  /** Random, made with the account and never changed: an account that is created again has another one. */
  readonly id: string;
  /** Compared character by character. */
  readonly username: string;
  /** argon2id in PHC string form. */
  readonly passwordHash: string;
  readonly displayName: string;
  readonly roles: Principal['roles'];
  readonly groups: Principal['groups'];
  readonly adminPrincipal: boolean;
  readonly disabled: boolean;
  /** Epoch milliseconds. */
  readonly creationDate: number;
}
