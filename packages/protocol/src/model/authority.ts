/**
 * Authorities that no authentication module may have: nobody can log in under one of them, so nobody is mistaken
 * for a client, for the system or for whoever sits at the command line.
 */

/** Owner of what the command line registered: nobody who calls over HTTP, so administrators alone see it. */
export const nobodysAuthority = '';

/** Owner of the records that the server itself depends on. */
export const systemAuthority = 'system';

/** Who acts at the command line. */
export const commandLineAuthority = 'cli';

const clientPrefix = 'client:';

/**
 * A client that acts for itself. It is known by its record id, which is never given again: another client that is
 * later registered under the same clientId owns nothing of it.
 */
export function clientAuthority(clientRecordId: number): string {
  return `${clientPrefix}${clientRecordId}`;
}

export function isReservedAuthority(authority: string): boolean {
  return (
    authority === nobodysAuthority ||
    authority === systemAuthority ||
    authority === commandLineAuthority ||
    authority.startsWith(clientPrefix)
  );
}
