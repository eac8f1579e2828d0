import {
  type Account,
  type Client,
  clientPrincipal,
  type GrantedAccessToken,
  type ResourceServer,
} from '@watchword/protocol';
import type { Row } from './output.ts';

/** Records in the JSON names of the administration interface. */

export function resourceServerRow({ secret, ...resourceServer }: ResourceServer): Row {
  return { ...resourceServer };
}

export function clientRow({ secret, resourceServerId, tokensValidFrom, ...client }: Client): Row {
  return { ...client, resourceserver_id: resourceServerId };
}

export function accountRow({ passwordHash, ...account }: Account): Row {
  return { ...account };
}

/** `client` is `undefined` for a token whose client is deleted: it is dead, and waits to be removed. */
export function accessTokenRow(token: GrantedAccessToken, client: Client | undefined): Row {
  const { id, scopes, expires, creationDate, grant } = token;
  const principal = client && (grant?.owner.principal ?? clientPrincipal(client.clientId));
  return {
    id,
    clientId: client?.clientId ?? null,
    resourceOwnerId: principal?.name ?? null,
    scopes,
    expires,
    creationDate,
    principal: principal ?? null,
  };
}
