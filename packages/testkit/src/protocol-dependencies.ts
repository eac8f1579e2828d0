import {
  type AccessTokenFormats,
  type AccessTokenIssuer,
  type AuthorizationCodeDependencies,
  accessTokenFormats,
  accessTokenIssuer,
  type Client,
  claimMapping,
  clientAuthenticationMethods,
  clientsInMemory,
  dpopProofs,
  grantTypesOf,
  type Instruments,
  type IntrospectionDependencies,
  idTokenIssuer,
  KeyRing,
  type PresentedFactor,
  proofNonces,
  type RefreshTokenDependencies,
  type Registry,
  type ResourceServer,
  type ResponseTypes,
  type RevocationDependencies,
  responseTypesOf,
  type Scopes,
  Subjects,
  slowSecrets,
  type TokenEndpointDependencies,
  UserClaims,
} from '@watchword/protocol';
import { buildClient } from './builders/client.ts';
import { buildResourceServer } from './builders/resource-server.ts';
import { FakeClock } from './fakes/fake-clock.ts';
import { type MemoryStore, memoryStore } from './fakes/memory-store.ts';
import { FakeIdentityProviders } from './fakes/people/memory-identity-providers.ts';
import {
  RecordingLimiter,
  RecordingLoginAttempts,
  RecordingPasswords,
  RecordingRequestErrors,
  RecordingSecurityLog,
} from './fakes/recording.ts';
import { MemoryKeySets } from './fakes/records/memory-key-sets.ts';
import { subjectSecret } from './fakes/records/memory-keys.ts';
import { seededRandom } from './fakes/seeded-random.ts';
import { type TestSigner, testSigner } from './fakes/test-signer.ts';

/** The dependencies of the endpoints, with one resource server and one client of it. */
export interface ProtocolDependencies
  extends TokenEndpointDependencies,
    IntrospectionDependencies,
    RevocationDependencies,
    AuthorizationCodeDependencies,
    RefreshTokenDependencies {
  readonly store: MemoryStore;
  readonly clock: FakeClock;
  readonly attempts: RecordingLimiter;
  /** Limits secrets that have a slow hash. */
  readonly secretAttempts: RecordingLoginAttempts;
  /** Hashes secrets slowly. */
  readonly passwords: RecordingPasswords;
  readonly clientKeySets: MemoryKeySets;
  readonly issuerKeySets: MemoryKeySets;
  readonly identityProviders: FakeIdentityProviders;
  readonly requestErrorLog: RecordingRequestErrors;
  readonly securityLog: RecordingSecurityLog;
  /** Credentials `test-api:resource-server-secret`. */
  readonly resourceServer: ResourceServer;
  /** Credentials `test-client:client-secret`. */
  readonly client: Client;
  /** Grant types of the issued tokens, in the order of issue. */
  readonly issuedBy: readonly string[];
  /** The same of the issued ID tokens. */
  readonly idTokensIssuedBy: readonly string[];
  /** Access tokens that came near the greatest length. */
  readonly longTokens: readonly { readonly clientId: string; readonly characters: number }[];
  /** Authenticators of the logins that succeeded, in the order of the logins. */
  readonly loggedInBy: readonly string[];
  readonly presentedFactors: readonly PresentedFactor[];
  readonly issueAccessToken: AccessTokenIssuer;
  readonly responseTypes: ResponseTypes;
  readonly subjects: Subjects;
  readonly userClaims: UserClaims;
  readonly accessTokenFormats: AccessTokenFormats;
  /** The formats at a node with another registry. */
  formatsOver(registry: Registry): AccessTokenFormats;
  /** Signs ID tokens and JWT access tokens. */
  readonly signer: TestSigner;
  /** Issues a token as the token endpoint does; resolves with its text. */
  issue(client?: Client, scopes?: Scopes): Promise<string>;
}

const issuer = 'https://as.example';

/** Seconds. */
const lifetimes = {
  refreshIdleLifetime: 1000,
  refreshLifetime: 5000,
  refreshGrace: 30,
  publicRefreshGrace: 10,
  refreshGraceStreak: 3,
  sessionIdleLifetime: 1000,
};

export interface ProtocolBasis {
  readonly clock: FakeClock;
  readonly store: MemoryStore;
  /** Of what is made at random; two that share a store need different ones. */
  readonly seed: string;
}

/** @param basis default: an empty store in memory */
export function protocolDependencies(basis?: ProtocolBasis): ProtocolDependencies {
  const clock = basis?.clock ?? new FakeClock();
  const store = basis?.store ?? memoryStore(clock);
  const issuedBy: string[] = [];
  const idTokensIssuedBy: string[] = [];
  const loggedInBy: string[] = [];
  const presentedFactors: PresentedFactor[] = [];
  const longTokens: { readonly clientId: string; readonly characters: number }[] = [];
  const securityLog = new RecordingSecurityLog();
  const random = seededRandom(basis?.seed);
  const signer = testSigner();
  const userClaims = new UserClaims(claimMapping({}));
  const subjects = new Subjects({ subjectSecret });
  const formatsOver = (registry: Registry) =>
    accessTokenFormats({
      ...store,
      clients: clientsInMemory(registry),
      issuer,
      random,
      signer,
      userClaims,
      publicSubject: subjects.publicSubject,
      nearsLongest: ({ clientId }, characters) => void longTokens.push({ clientId, characters }),
    });
  const formats = formatsOver(store.registry);
  const issueAccessToken = accessTokenIssuer({ ...store, accessTokenFormats: formats, clock });
  const identityProviders = new FakeIdentityProviders();
  const instruments: Instruments = {
    tokenIssued: (grantType) => void issuedBy.push(grantType),
    idTokenIssued: (grantType) => void idTokensIssuedBy.push(grantType),
    loggedIn: (authenticator) => void loggedInBy.push(authenticator),
    factorPresented: (factor) => void presentedFactors.push(factor),
  };
  const openid = { subjects, userClaims, subjectSecret, issuer, signer };
  const issueIdToken = idTokenIssuer({
    ...store,
    ...openid,
    clock,
    idTokenLifetime: 600,
    claimsInIdToken: false,
  });
  const parts = {
    ...store,
    ...lifetimes,
    ...openid,
    issueIdToken,
    accessTokenFormats: formats,
    clock,
    random,
    identityProviders,
  };
  const secretAttempts = new RecordingLoginAttempts();
  const passwords = new RecordingPasswords();
  const slow = slowSecrets(passwords, secretAttempts);
  const [clientKeySets, issuerKeySets] = [new MemoryKeySets(), new MemoryKeySets()];
  const resourceServer = store.putResourceServer(buildResourceServer());
  const client = store.putClient(buildClient());
  const openSealer = () => KeyRing.open({ ...store, clock, random });
  return {
    ...parts,
    store,
    dpopProofs: dpopProofs({ ...store, clock, proofNonces: proofNonces({ clock, openSealer }) }),
    attempts: new RecordingLimiter(),
    secretAttempts,
    passwords,
    slowSecrets: slow,
    clientKeySets,
    issuerKeySets,
    authenticationMethods: clientAuthenticationMethods({
      ...store,
      issuer,
      slowSecrets: slow,
      clientKeySets,
      issuerKeySets,
    }),
    scopeSyntax: { commaSeparated: false },
    grantTypes: grantTypesOf(parts),
    requestErrorLog: new RecordingRequestErrors(),
    securityLog,
    instruments,
    responseTypes: responseTypesOf({ ...parts, instruments, codeLifetime: 60, implicitLifetime: 900 }),
    formatsOver,
    resourceServer,
    client,
    issuedBy,
    idTokensIssuedBy,
    longTokens,
    loggedInBy,
    presentedFactors,
    issueAccessToken,
    async issue(owner = client, scopes = owner.scopes) {
      return (await issueAccessToken({ client: owner, scopes, confirmation: undefined })).accessTokenValue;
    },
  };
}
