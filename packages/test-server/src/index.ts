export type { Fault, Faults, FaultyAnswers } from './faults.ts';
export type { Tokens } from './log-in.ts';
export type {
  RegisteredClient,
  RegisteredResourceServer,
  TestClient,
  TestResourceServer,
} from './records.ts';
export { startTestServer } from './start-test-server.ts';
export type { ClientCredentials, LogIn, RotateKeys, TestServer, TestServerOptions } from './test-server.ts';
export { TestServerError } from './test-server-error.ts';
export type { TestUser } from './users.ts';
