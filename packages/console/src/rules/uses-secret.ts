import type { ClientFields } from '@watchword/admin-client';

/** Whether the client authenticates with a secret: a public client has none, and neither has one with assertions instead. */
export function usesSecret(client: Pick<ClientFields, 'confidential' | 'tokenEndpointAuthMethod'>): boolean {
  return (
    client.confidential && !['private_key_jwt', 'assertion_issuer'].includes(client.tokenEndpointAuthMethod)
  );
}
