import type { ClientFields } from '@watchword/admin-client';

/** A client as a form has it: texts that are being typed stand as they are. */
export interface TypedClient extends Omit<ClientFields, 'redirectUris' | 'expireDuration' | 'attributes'> {
  /** One a line. */
  readonly redirectUris: string;
  /** Seconds; `''` while there is nothing. */
  readonly expireDuration: string;
  /** While they are typed, several may have one name, or none. */
  readonly attributes: readonly Attribute[];
}

export interface Attribute {
  readonly name: string;
  readonly value: string;
}

export const clientLabels: Readonly<Record<keyof TypedClient, string>> = {
  clientName: 'Name',
  description: 'Description',
  scopes: 'Scopes',
  expireDuration: 'Token lifetime',
  allowedClientCredentials: 'Client credentials',
  redirectUris: 'Redirect URIs',
  useRefreshTokens: 'Refresh tokens',
  allowedImplicitGrant: 'Implicit grant, public client',
  includePrincipal: 'Name the principal in implicit answers',
  skipConsent: 'Skip consent',
  contactName: 'Contact name',
  contactEmail: 'Contact e-mail',
  thumbNailUrl: 'Picture',
  attributes: 'Attributes',
};

export function typedClient(client: ClientFields): TypedClient {
  const { redirectUris, expireDuration, attributes } = client;
  return {
    clientName: client.clientName,
    description: client.description,
    contactName: client.contactName,
    contactEmail: client.contactEmail,
    thumbNailUrl: client.thumbNailUrl,
    scopes: client.scopes,
    allowedClientCredentials: client.allowedClientCredentials,
    allowedImplicitGrant: client.allowedImplicitGrant,
    useRefreshTokens: client.useRefreshTokens,
    skipConsent: client.skipConsent,
    includePrincipal: client.includePrincipal,
    redirectUris: redirectUris.join('\n'),
    expireDuration: String(expireDuration),
    attributes: Object.entries(attributes).map(([name, value]) => ({ name, value })),
  };
}

/** What is submitted; to be asked for once the rules find nothing wrong. */
export function clientFields({
  redirectUris,
  expireDuration,
  attributes,
  ...rest
}: TypedClient): ClientFields {
  return {
    ...rest,
    redirectUris: linesOf(redirectUris),
    expireDuration: expireDuration === '' ? Number.NaN : Number(expireDuration),
    attributes: Object.fromEntries(filledIn(attributes).map(({ name, value }) => [name, value])),
  };
}

/** Without rows in which nothing was typed. */
export function filledIn(attributes: readonly Attribute[]): readonly Attribute[] {
  return attributes.filter(({ name, value }) => name !== '' || value !== '');
}

export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
