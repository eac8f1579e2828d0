import type { TypedClient } from '../../rules/typed-client.ts';

const usual = { allowedClientCredentials: false, allowedImplicitGrant: false, expireDuration: '3600' };

/** The kinds of application that most clients are. The choice of one sets the fields below. */
export const clientKinds: readonly ClientKind[] = [
  {
    key: 'web',
    fields: { ...usual, confidential: true, useRefreshTokens: true },
  },
  {
    key: 'browser',
    fields: { ...usual, confidential: false, useRefreshTokens: false },
  },
  {
    key: 'native',
    fields: { ...usual, confidential: false, useRefreshTokens: true },
  },
  {
    key: 'service',
    fields: { ...usual, confidential: true, allowedClientCredentials: true, useRefreshTokens: false },
  },
];

interface ClientKind {
  readonly key: 'web' | 'browser' | 'native' | 'service';
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
