import type { TypedClient } from '../../rules/typed-client.ts';

/** What most clients are; choosing one sets what follows from it. */
export const clientKinds = [
  {
    key: 'service',
    title: 'A service that acts for itself',
    lead: 'A job, a daemon, another API. It has a secret, and no user signs in: client credentials.',
    fields: {
      allowedClientCredentials: true,
      allowedImplicitGrant: false,
      useRefreshTokens: false,
      expireDuration: '3600',
    },
  },
  {
    key: 'web',
    title: 'A web application with a server',
    lead: 'People sign in here and come back with a code, which its server redeems with the secret.',
    fields: {
      allowedClientCredentials: false,
      allowedImplicitGrant: false,
      useRefreshTokens: true,
      expireDuration: '3600',
    },
  },
  {
    key: 'browser',
    title: 'An application in the browser or on a device',
    lead: 'It can keep no secret, so it is public: authorization code with PKCE, or the implicit grant.',
    fields: {
      allowedClientCredentials: false,
      allowedImplicitGrant: true,
      useRefreshTokens: false,
      expireDuration: '3600',
    },
  },
] as const satisfies readonly {
  readonly key: string;
  readonly title: string;
  readonly lead: string;
  readonly fields: Partial<TypedClient>;
}[];

type KindFields = (typeof clientKinds)[number]['fields'];

/** The kind whose grants the fields have. */
export function kindOf(fields: Pick<TypedClient, 'allowedClientCredentials' | 'allowedImplicitGrant'>) {
  return clientKinds.find(
    ({ fields: of }: { readonly fields: KindFields }) =>
      of.allowedClientCredentials === fields.allowedClientCredentials &&
      of.allowedImplicitGrant === fields.allowedImplicitGrant,
  );
}
