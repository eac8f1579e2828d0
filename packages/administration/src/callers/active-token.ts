import {
  type ClientStore,
  isRevokedWithClient,
  isSameIdentity,
  type PresentedAccessToken,
  type ResourceServer,
  type ResourceServerStore,
  remainingScopesOf,
} from '@watchword/protocol';
import { type IssuedToken, tokenOwner } from '../records.ts';
import type { Caller } from './caller.ts';
import { owns } from './ownership.ts';

/** Finds the client of a token and its resource server. */
export interface RegisteredRecords {
  readonly clients: Pick<ClientStore, 'findById'>;
  readonly resourceServers: Pick<ResourceServerStore, 'findById'>;
}

export interface ActiveToken extends IssuedToken {
  readonly resourceServer: ResourceServer;
}

/** The token with its records; `undefined` when it is no longer valid although it was found. */
export async function activeToken(
  token: Omit<PresentedAccessToken, 'format'>,
  registered: RegisteredRecords,
): Promise<ActiveToken | undefined> {
  const { id, clientRecordId, grantId, grant, expires, creationDate } = token;
  if (grantId !== undefined && grant === undefined) return undefined;
  const client = await registered.clients.findById(clientRecordId);
  if (client === undefined || isRevokedWithClient(client, token, grant)) return undefined;
  const resourceServer = await registered.resourceServers.findById(client.resourceServerId);
  if (resourceServer === undefined) return undefined;
  const scopes = remainingScopesOf(token.scopes, client, resourceServer);
  return { id, format: 'opaque', client, grant, scopes, expires, creationDate, resourceServer };
}

/**
 * Whether the caller can see and change the token. A user is identified by the subject: the name can have been that of
 * another user.
 */
export function isOwnToken(caller: Caller, token: ActiveToken): boolean {
  const { isAdministrator, identity, login } = caller;
  if (isAdministrator) return true;
  if (login !== undefined) return token.grant?.owner.subject === login.owner.subject;
  return (
    isSameIdentity(identity, tokenOwner(token)) ||
    (token.grant === undefined && owns(caller, token.resourceServer))
  );
}
