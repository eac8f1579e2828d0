import { isSameIdentity } from '../model/resource-owner.ts';
import type { ResourceServer } from '../model/resource-server.ts';
import type { GrantedAccessToken } from '../ports/access-token-store.ts';
import type { ClientStore } from '../ports/client-store.ts';
import type { ResourceServerStore } from '../ports/resource-server-store.ts';
import { remainingScopes } from '../rules/scope.ts';
import type { Caller } from './caller.ts';
import { owns } from './ownership.ts';
import { type IssuedToken, tokenOwner } from './records.ts';

export interface Parties {
  readonly clients: Pick<ClientStore, 'findById'>;
  readonly resourceServers: Pick<ResourceServerStore, 'findById'>;
}

export interface LivingToken extends IssuedToken {
  readonly resourceServer: ResourceServer;
}

/** `undefined` for one that counts no more, though its row is still there. */
export async function livingToken(
  token: GrantedAccessToken,
  parties: Parties,
): Promise<LivingToken | undefined> {
  const { id, clientRecordId, grantId, grant, expires, creationDate } = token;
  if (grantId !== undefined && grant === undefined) return undefined;
  const client = await parties.clients.findById(clientRecordId);
  if (client === undefined || creationDate <= client.tokensValidFrom) return undefined;
  const resourceServer = await parties.resourceServers.findById(client.resourceServerId);
  if (resourceServer === undefined) return undefined;
  const scopes = remainingScopes(token.scopes, client.scopes);
  return { id, client, grant, scopes, expires, creationDate, resourceServer };
}

/** Whether the caller can see the token and change it. A person is known by the subject: a name can have been another person's. */
export function isOwnToken(caller: Caller, token: LivingToken): boolean {
  const { isAdministrator, identity, login } = caller;
  if (isAdministrator) return true;
  if (login !== undefined) return token.grant?.owner.subject === login.owner.subject;
  return (
    isSameIdentity(identity, tokenOwner(token)) ||
    (token.grant === undefined && owns(caller, token.resourceServer))
  );
}
