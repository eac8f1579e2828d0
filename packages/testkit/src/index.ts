export { type TokenFactory, tokenFactory } from './builders/access-token.ts';
export { accountRegistration, buildAccount } from './builders/account.ts';
export { type AuditEventFactory, auditEventFactory } from './builders/audit-event.ts';
export { authenticationContext, buildAuthenticationEvent } from './builders/authentication.ts';
export { buildAdministrator, buildCaller, buildClientCaller } from './builders/caller.ts';
export { buildClient, buildPublicClient, clientRegistration, newClient } from './builders/client.ts';
export { otherValues } from './builders/field-values.ts';
export { type GrantFactory, grantFactory } from './builders/grant.ts';
export { type SessionFactory, sessionFactory } from './builders/login-session.ts';
export { machineSecret } from './builders/machine-secret.ts';
export { buildPasskey } from './builders/passkey.ts';
export { buildPrincipal, buildResourceOwner, buildSubject, subjectIn } from './builders/resource-owner.ts';
export {
  buildResourceServer,
  newResourceServer,
  resourceServerRegistration,
} from './builders/resource-server.ts';
export { buildSigningKey } from './builders/signing-key.ts';
export {
  accessConformance,
  recordConformance,
  storeConformance,
} from './conformance/store-conformance.ts';
export type { OpenStore, StoreUnderTest } from './conformance/store-under-test.ts';
export { countPages, damagePage, leafPages, pageOf, schemaPages } from './damage.ts';
export { FakeClock } from './fakes/fake-clock.ts';
export { type MemoryStore, memoryStore } from './fakes/memory-store.ts';
export { FakeIdentityProviders } from './fakes/people/memory-identity-providers.ts';
export { RecordingLimiter } from './fakes/recording.ts';
export { seededRandom } from './fakes/seeded-random.ts';
export { type TestSigner, testSigner } from './fakes/test-signer.ts';
export {
  answeredParameters,
  authorizationRequest,
  emma,
  type FlowDependencies,
  flowDependencies,
  sent,
  submission,
  TestBrowser,
} from './flow-dependencies.ts';
export { type ProtocolDependencies, protocolDependencies } from './protocol-dependencies.ts';
export { addClient, addResourceServer } from './registered.ts';
export {
  basic,
  clientRequest,
  introspectRequest,
  presentedRequest,
  protocolError,
  type TestForm,
} from './requests.ts';
export { rounds, variants } from './rounds.ts';
export { slowSuite, slowTest } from './slow.ts';
