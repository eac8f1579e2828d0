/**
 * Reserved identity providers: no authentication module can have one of these names, and no user can log in under one. So no user
 * is mistaken for a client, for the server itself or for the operator at the command line.
 */

/** Owner of records that the command line registered: no caller over HTTP has it, so only administrators see these records. */
export const noIdentityProvider = '';

/** Owner of the records that the server itself depends on. */
export const systemIdentityProvider = 'system';

/** The operator at the command line. */
export const commandLineIdentityProvider = 'cli';

const clientPrefix = 'client:';

/**
 * A client that acts for itself. It is identified by its record id, which is never reused: another client that is
 * registered later under the same clientId owns none of its records.
 */
export function clientIdentityProvider(clientRecordId: number): string {
  return `${clientPrefix}${clientRecordId}`;
}

/** Whether the owner of a record is a client. */
export function isClientIdentityProvider(identityProvider: string): boolean {
  return identityProvider.startsWith(clientPrefix);
}

export function isReservedIdentityProvider(identityProvider: string): boolean {
  return (
    identityProvider === noIdentityProvider ||
    identityProvider === systemIdentityProvider ||
    identityProvider === commandLineIdentityProvider ||
    isClientIdentityProvider(identityProvider)
  );
}
