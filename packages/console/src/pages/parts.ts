import { routes } from '../router/routes.ts';

/** What is fetched when it is first needed. Pages with forms come together. */
export const parts = {
  overview: () => import('./overview/overview.tsx'),
  resourceServers: () => import('./resource-servers/resource-servers.tsx'),
  clients: () => import('./clients/clients.tsx'),
  access: () => import('./access/access-list.tsx'),
  tokens: () => import('./tokens/token-list.tsx'),
  foundToken: () => import('./tokens/found-token.tsx'),
  audit: () => import('./audit/audit-log.tsx'),
  identityProviders: () => import('./identity-providers/identity-providers.tsx'),
  identityProvider: () => import('./identity-providers/authenticator.tsx'),
  newIdentityProvider: () => import('./identity-providers/new-authenticator.tsx'),
  signingKeys: () => import('./signing-keys/signing-keys.tsx'),
  branding: () => import('./branding/branding.tsx'),
  settings: () => import('./settings/settings.tsx'),
  records: () => import('./records.ts'),
} as const;

const withOwnPart: readonly (keyof typeof parts & keyof typeof routes)[] = [
  'overview',
  'resourceServers',
  'clients',
  'access',
  'tokens',
  'audit',
  'identityProviders',
  'newIdentityProvider',
  'signingKeys',
  'branding',
  'settings',
];

/** The part with the page at this path; that of records for every other path. */
export function partAt(path: string): () => Promise<unknown> {
  return parts[withOwnPart.find((name) => routes[name] === path) ?? 'records'];
}
