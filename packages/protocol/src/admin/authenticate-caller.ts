import {
  authenticateBearer,
  type BearerDependencies,
  type BearerRequest,
} from '../credentials/authenticate-bearer.ts';
import { OAuthError } from '../errors.ts';
import { type Caller, clientCaller, personCaller } from './caller.ts';
import { isSystemRecord } from './ownership.ts';
import { administrationKey, type administrationScopes } from './system-records.ts';

export type AdministrationScope = keyof typeof administrationScopes;

/**
 * Who calls the administration interface: the bearer of an access token that was issued to one of its clients.
 *
 * @throws OAuthError `missing_token`, `invalid_token`, `insufficient_scope`, `invalid_request`, `too_many_requests`
 */
export async function authenticateCaller(
  request: BearerRequest,
  scope: AdministrationScope,
  world: BearerDependencies,
): Promise<Caller> {
  const { token, client, scopes } = await authenticateBearer(
    request,
    world,
    ({ resourceServer }) => resourceServer.key === administrationKey && isSystemRecord(resourceServer),
  );
  const { grant, expires } = token;
  const coming = { client, access: { scopes, expires }, source: request.source };
  const caller = grant === undefined ? clientCaller(coming) : personCaller(grant.owner, coming);
  if (caller === undefined) throw new OAuthError('invalid_token');
  if (scopes.includes(scope)) return caller;
  throw new OAuthError('insufficient_scope', {
    scope,
    description: `The access token lacks the scope ${scope}.`,
  });
}
