import {
  type AccessTokenIssuer,
  accessTokenIssuer,
  type Client,
  clientCredentialsGrant,
  type IntrospectionDependencies,
  type ResourceServer,
  type Scopes,
  type TokenEndpointDependencies,
} from '@watchword/protocol';
import { buildClient } from './builders/client.ts';
import { buildResourceServer } from './builders/resource-server.ts';
import { FakeClock } from './fakes/fake-clock.ts';
import { type MemoryStore, memoryStore } from './fakes/memory-store.ts';
import { RecordingLimiter } from './fakes/recording-limiter.ts';
import { seededRandom } from './fakes/seeded-random.ts';

/** Everything that the endpoints ask of the world, with one resource server and one client of it. */
export interface ProtocolWorld extends TokenEndpointDependencies, IntrospectionDependencies {
  readonly store: MemoryStore;
  readonly clock: FakeClock;
  readonly attempts: RecordingLimiter;
  /** Credentials `test-api:resource-server-secret`. */
  readonly resourceServer: ResourceServer;
  /** Credentials `test-client:client-secret`. */
  readonly client: Client;
  /** Grant types in the order in which tokens were reported issued. */
  readonly issuedBy: readonly string[];
  readonly issueAccessToken: AccessTokenIssuer;
  /** Issues a token as the rules do; resolves with its text. */
  issue(client?: Client, scopes?: Scopes): Promise<string>;
}

export function protocolWorld(): ProtocolWorld {
  const store = memoryStore();
  const clock = new FakeClock();
  const issuedBy: string[] = [];
  const { accessTokens, registry } = store;
  const issueAccessToken = accessTokenIssuer({ accessTokens, clock, random: seededRandom() });
  const resourceServer = store.putResourceServer(buildResourceServer());
  const client = store.putClient(buildClient());
  return {
    store,
    clock,
    accessTokens,
    registry,
    attempts: new RecordingLimiter(),
    scopeSyntax: { commaSeparated: false },
    grants: [clientCredentialsGrant(issueAccessToken)],
    instruments: { tokenIssued: (grantType) => void issuedBy.push(grantType) },
    issuer: () => 'https://as.example',
    resourceServer,
    client,
    issuedBy,
    issueAccessToken,
    async issue(owner = client, scopes = owner.scopes) {
      return (await issueAccessToken(owner, scopes)).accessTokenValue;
    },
  };
}
