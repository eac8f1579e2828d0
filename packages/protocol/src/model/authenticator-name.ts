/** The form of a name that operators and administrators give an authenticator. */
export const authenticatorNamePattern = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** Names of the issuers of identities of the server itself, and of the local accounts. */
export const reservedAuthenticatorNames: readonly string[] = ['system', 'cli', 'client', 'password'];

/** Whether users of the identity provider belong to the authenticator of that name, which an operator or administrator gave it. */
export function isOfAuthenticator(name: string, identityProvider: string): boolean {
  return identityProvider === name || identityProvider.startsWith(`${name}:`);
}
