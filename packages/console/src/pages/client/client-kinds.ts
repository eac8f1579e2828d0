import type { TypedClient } from '../../rules/typed-client.ts';

const usual = { allowedClientCredentials: false, allowedImplicitGrant: false, expireDuration: '3600' };

/** The kinds of application that most clients are. The choice of one sets the fields below. */
export const clientKinds: readonly ClientKind[] = [
  {
    key: 'web',
    title: 'A web application with a server',
    lead: 'Its users sign in here and return with a code. Its server redeems the code with its secret.',
    fields: { ...usual, confidential: true, useRefreshTokens: true },
  },
  {
    key: 'browser',
    title: 'An application in the browser',
    lead: 'Its script redeems the code itself, with PKCE. It can keep no secret, so it is public.',
    fields: { ...usual, confidential: false, useRefreshTokens: false },
  },
  {
    key: 'native',
    title: 'A native or mobile application',
    lead: 'It is public too, uses PKCE, and returns to an address on the device. Refresh tokens keep users signed in.',
    fields: { ...usual, confidential: false, useRefreshTokens: true },
  },
  {
    key: 'service',
    title: 'A service that acts for itself',
    lead: 'A job, a daemon, another API. It has a secret, and no user signs in: client credentials.',
    fields: { ...usual, confidential: true, allowedClientCredentials: true, useRefreshTokens: false },
  },
];

interface ClientKind {
  readonly key: string;
  readonly title: string;
  readonly lead: string;
  readonly fields: KindFields & Pick<TypedClient, 'expireDuration'>;
}

type KindFields = Pick<
  TypedClient,
  'confidential' | 'allowedClientCredentials' | 'allowedImplicitGrant' | 'useRefreshTokens'
>;

/** The kind that the fields are of; refresh tokens decide only between two that are else the same. */
export function kindOf(typed: KindFields): ClientKind | undefined {
  const found = clientKinds.filter(
    ({ fields }) =>
      fields.confidential === typed.confidential &&
      fields.allowedClientCredentials === typed.allowedClientCredentials &&
      fields.allowedImplicitGrant === typed.allowedImplicitGrant,
  );
  return found.find(({ fields }) => fields.useRefreshTokens === typed.useRefreshTokens) ?? found[0];
}
