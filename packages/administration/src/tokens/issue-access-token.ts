import {
  type Client,
  type ClientStore,
  creationDateFor,
  expiryAfter,
  type Grant,
  homeTarget,
  isAdministration,
  type MalformedField,
  makeAccessToken,
  OAuthError,
  onlyAdministers,
  type ProfileChecks,
  type ResourceServer,
  type ResourceServerStore,
  type Scopes,
  timeOrderedId,
  Violations,
} from '@watchword/protocol';
import type { IssuedToken } from '../callers/active-token.ts';
import type { Caller } from '../callers/caller.ts';
import { owns } from '../callers/ownership.ts';
import { changeRecords, finishChange } from '../changes/change-records.ts';
import type {
  AccessTokenAdministration,
  AccessTokenAdministrationDependencies,
  AccessTokenRequest,
} from './access-token-administration.ts';
import { jwtAddress } from './jwts.ts';
import { ofToken, tokenState } from './token-record.ts';
import { availableScopes, checkExpiry, checkTokenScopes, earlier, latestExpiry } from './token-rules.ts';

interface Records {
  readonly clients: Pick<ClientStore, 'find'>;
  readonly resourceServers: Pick<ResourceServerStore, 'findById'>;
}

/** A token that the caller can issue. */
interface Planned {
  readonly client: Client;
  readonly resourceServer: ResourceServer;
  readonly scopes: Scopes;
  readonly grant: Grant | undefined;
  readonly creationDate: number;
  /** Epoch milliseconds; 0 = does not expire. */
  readonly expires: number;
}

/** Issues an access token for a client of the caller. */
export function accessTokenIssue(
  deps: AccessTokenAdministrationDependencies,
): AccessTokenAdministration['create'] {
  const { accessTokenFormats, instruments, openSealer } = deps;
  return async (caller, request, malformed) => {
    const planned = await changeRecords(caller, deps, async (stores) => ({
      value: await plan(caller, request, malformed, stores, deps),
      changes: [],
    }));
    const { client, resourceServer, grant, creationDate } = planned;
    const targets = [homeTarget(resourceServer)];
    // Between two transactions, for which other changes wait: a signature can take long.
    const { accessToken, accessTokenValue } = await makeAccessToken(
      { ...planned, confirmation: undefined },
      targets,
      {
        accessTokenFormats,
        // The token and its grant have the same creation date, from which the expiry is counted.
        clock: { now: () => creationDate },
      },
    );
    const format = accessTokenFormats.of(targets, client).name;
    const issued: IssuedToken = { ...accessToken, client, grant, format };
    const token = format === 'jwt' ? { ...issued, address: jwtAddress(issued, await openSealer()) } : issued;
    await finishChange(caller, deps, async (stores) => {
      const current = await plan(caller, request, malformed, stores, deps);
      if (!areSame(planned, current)) throw changedMeanwhile();
      await stores.issuedTokens.insert(accessToken, grant);
      return {
        value: undefined,
        changes: [{ action: 'create', ...ofToken(token), after: tokenState(token) }],
      };
    });
    instruments.tokenIssued('administration', client);
    return { token, value: accessTokenValue };
  };
}

/** @throws OAuthError `invalid_request` with every violation */
async function plan(
  caller: Caller,
  request: AccessTokenRequest,
  malformed: readonly MalformedField[] | undefined,
  { clients, resourceServers }: Records,
  { accessTokenFormats, clock, profile, random }: AccessTokenAdministrationDependencies,
): Promise<Planned> {
  const violations = new Violations(malformed);
  const client = await clients.find(request.clientId);
  const resourceServer = client && (await resourceServers.findById(client.resourceServerId));
  if (client === undefined || resourceServer === undefined || !owns(caller, resourceServer)) {
    violations.add('clientId', 'names no client');
    violations.throwIfAny();
    throw new OAuthError('invalid_request', { rule: 'valid_record' });
  }
  if (mustBeBound(client, resourceServer, profile)) {
    violations.add(
      'clientId',
      'names a client whose access tokens must be bound to its keys (dpopBoundAccessTokens, tlsClientCertificateBoundAccessTokens, or the profile of the server), so that it must ask for them itself',
    );
  }
  const available = availableScopes(client, resourceServer, caller);
  const scopes = [...new Set(request.scopes ?? available)];
  checkTokenScopes(scopes, available, 'the client, or not of your own token', violations);
  const creationDate = creationDateFor(client, clock.now());
  const { longestLifetime } = accessTokenFormats.of([homeTarget(resourceServer)]);
  const latest = earlier(
    latestExpiry(creationDate, client, resourceServer, caller),
    expiryAfter(longestLifetime, creationDate),
  );
  const expires = request.expires ?? earlier(expiryAfter(client.expireDuration, creationDate), latest);
  checkExpiry(expires, latest, violations);
  violations.throwIfAny();
  const grant = caller.login && {
    id: timeOrderedId(creationDate, random),
    clientRecordId: client.id,
    ...caller.login,
    scopes,
    creationDate,
  };
  return { client, resourceServer, scopes, grant, creationDate, expires };
}

/** By its registration, or by the profile of the server. */
function mustBeBound(client: Client, home: ResourceServer, profile: ProfileChecks | undefined): boolean {
  const { dpopBoundAccessTokens, tlsClientCertificateBoundAccessTokens } = client;
  const facts = {
    isBound: false,
    namesResource: true,
    isOfAdministration: isAdministration(home),
    onlyAdministers: onlyAdministers(client, home),
  };
  const isRefused = profile?.refusal('token', facts) !== undefined;
  return dpopBoundAccessTokens || tlsClientCertificateBoundAccessTokens || isRefused;
}

function areSame(a: Planned, b: Planned): boolean {
  return (
    a.client.id === b.client.id &&
    a.client.revision === b.client.revision &&
    a.resourceServer.revision === b.resourceServer.revision
  );
}

function changedMeanwhile(): OAuthError {
  return new OAuthError('temporarily_unavailable', {
    description: 'The client or its resource server was changed during the request.',
    retryAfter: 1,
  });
}
