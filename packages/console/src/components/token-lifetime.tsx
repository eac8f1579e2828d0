import type { Client } from '@watchword/admin-client';
import { useEnvironment } from '../environment.ts';
import { lifetime } from '../format/time.ts';

/** The lifetime of access tokens of a client at this server. */
export function TokenLifetime({ client }: { readonly client: Client }) {
  const { implicitLifetime } = useEnvironment();
  return lifetime(client, implicitLifetime);
}
