import {
  type Account,
  createBearerValue,
  OAuthError,
  type Random,
  type StoredResetLink,
  sha256,
} from '@watchword/protocol';

/** What the person of a reset link begins with. */
export type FirstFactor = 'password' | 'passkey';

const oneHour = 3_600_000;

/** A reset link, and what is stored of it. */
interface NewResetLink {
  /** The part of the link that proves the right to set the password. It is shown once and never stored. */
  readonly value: string;
  readonly stored: StoredResetLink;
}

/** Makes a reset link that is valid for an hour. */
export function newResetLink(now: number, random: Random, factor: FirstFactor = 'password'): NewResetLink {
  const { value, verifierHash } = createBearerValue('reset', now, random);
  const digest = factor === 'passkey' ? passkeyLinkDigest(verifierHash) : verifierHash;
  return { value, stored: { digest, expires: now + oneHour } };
}

/** By which a link is stored that asks for a passkey. So it is found as such alone, and nobody sets a password with it. */
export function passkeyLinkDigest(verifierHash: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([Buffer.from('passkey '), verifierHash]));
}

/** @throws OAuthError `invalid_reset_link` */
export function valid(account: Account | undefined, now: number): Account {
  if (!isValid(account, now)) throw new OAuthError('invalid_reset_link');
  return account;
}

export function isValid(account: Account | undefined, now: number): account is Account {
  return account !== undefined && !account.disabled && (account.resetLink?.expires ?? 0) > now;
}
