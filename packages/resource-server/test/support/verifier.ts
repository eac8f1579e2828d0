import type { TokenVerifier, TokenVerifierOptions } from '../../src/index.ts';
import { composeVerifier } from '../../src/verifier/create-token-verifier.ts';
import {
  type AnswerRequest,
  type FakeAuthorizationServer,
  fakeAuthorizationServer,
} from './authorization-server.ts';
import { FakeSystem } from './fake-system.ts';

export interface TestVerifier extends AsyncDisposable {
  readonly server: FakeAuthorizationServer;
  readonly system: FakeSystem;
  readonly verifier: TokenVerifier;
}

/** A verifier on a machine whose clocks stand still, asking a server whose answers a test decides on. */
export async function startVerifier(
  answer?: AnswerRequest,
  options: Partial<TokenVerifierOptions> = {},
  system = new FakeSystem(),
): Promise<TestVerifier> {
  const server = await fakeAuthorizationServer(answer, options);
  return {
    server,
    system,
    verifier: composeVerifier(server.options, system),
    [Symbol.asyncDispose]: () => server.stop(),
  };
}
