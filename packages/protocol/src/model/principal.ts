/** The user who granted a token, with the data of the authentication module. */
export interface Principal {
  readonly name: string;
  readonly roles: readonly string[];
  readonly groups: readonly string[];
  readonly adminPrincipal: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/**
 * The principal of a client-credentials token: the client itself (RFC 6749 §4.4). It is derived, never
 * stored, and never an administrator.
 */
export function clientPrincipal(clientId: string): Principal {
  return { name: clientId, roles: [], groups: [], adminPrincipal: false, attributes: {} };
}

/** The name of a user on pages: the attribute `DISPLAY_NAME`, or else the name. */
export function displayName({ name, attributes }: Principal): string {
  return attributes.DISPLAY_NAME || name;
}
