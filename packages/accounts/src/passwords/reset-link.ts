import { createBearerValue, type Random, type StoredResetLink } from '@watchword/protocol';

const oneHour = 3_600_000;

/** A reset link, and what is stored of it. */
export interface NewResetLink {
  /** The part of the link that proves the right to set the password. It is shown once and never stored. */
  readonly value: string;
  readonly stored: StoredResetLink;
}

/** Makes a reset link that is valid for an hour. */
export function newResetLink(now: number, random: Random): NewResetLink {
  const { value, verifierHash } = createBearerValue('reset', now, random);
  return { value, stored: { digest: verifierHash, expires: now + oneHour } };
}
