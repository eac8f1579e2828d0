import type { Principal } from '@watchword/admin-client';

/** The identity provider of local accounts. */
export const accountIdentityProvider = 'password';

// Identity providers of actors and record owners that are no person: see the audit log and record owners of the server.
const others = ['', 'cli', 'system'];

/** Whether names of the identity provider are names of people. */
export function isOfPeople(identityProvider: string): boolean {
  return !others.includes(identityProvider) && !identityProvider.startsWith('client:');
}

/** Distinguishes people, also those with the same name at different identity providers. */
export function personKey({ name, attributes }: Principal): string {
  return JSON.stringify([name, attributes.IDENTITY_PROVIDER ?? '']);
}
