import { creationDateFor } from '../model/client.ts';
import { OAuthError } from '../model/errors.ts';
import type { Grant } from '../model/grant.ts';
import { Violations } from '../rules/registration.ts';
import { timeOrderedId } from '../rules/time-ordered-id.ts';
import { expiryAfter, newAccessToken } from '../tokens/issue-access-token.ts';
import type {
  AccessTokenAdministration,
  AccessTokenAdministrationDependencies,
} from './access-token-administration.ts';
import { ofToken, tokenState } from './audited-token.ts';
import { changeRecords } from './change-records.ts';
import { owns } from './ownership.ts';
import { availableScopes, checkExpiry, checkTokenScopes, earlier, latestExpiry } from './token-rules.ts';

/** Issues an access token for a client of the caller. */
export function accessTokenIssue(
  deps: AccessTokenAdministrationDependencies,
): AccessTokenAdministration['create'] {
  const { clock, random, instruments } = deps;
  return async (caller, request, malformed) => {
    const violations = new Violations(malformed);
    const created = await changeRecords(caller, deps, async (stores) => {
      const client = await stores.clients.find(request.clientId);
      const resourceServer = client && (await stores.resourceServers.findById(client.resourceServerId));
      if (client === undefined || resourceServer === undefined || !owns(caller, resourceServer)) {
        violations.add('clientId', 'names no client');
        violations.throwIfAny();
        throw new OAuthError('invalid_request');
      }
      const available = availableScopes(client, resourceServer, caller);
      const scopes = [...new Set(request.scopes ?? available)];
      checkTokenScopes(scopes, available, 'the client, or not of your own token', violations);
      const { login } = caller;
      const creationDate = creationDateFor(client, clock.now());
      const grant: Grant | undefined = login && {
        id: timeOrderedId(creationDate, random),
        clientRecordId: client.id,
        ...login,
        scopes,
        creationDate,
      };
      const latest = latestExpiry(creationDate, client, resourceServer, caller);
      const expires = request.expires ?? earlier(expiryAfter(client.expireDuration, creationDate), latest);
      checkExpiry(expires, latest, violations);
      violations.throwIfAny();
      const { accessToken, accessTokenValue } = await newAccessToken(
        { client, scopes, grant, expires },
        // The token and its grant have the same creation date, from which the expiry is counted.
        { ...deps, clock: { now: () => creationDate } },
      );
      await stores.issuedTokens.insert(accessToken, grant);
      const token = { ...accessToken, client, grant };
      const after = tokenState(token);
      return {
        value: { token, value: accessTokenValue },
        changes: [{ action: 'create', ...ofToken(token), after }],
      };
    });
    instruments.tokenIssued('administration', created.token.client);
    return created;
  };
}
