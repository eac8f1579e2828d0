import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  clientRequest,
  type ProtocolDependencies,
  protocolDependencies,
  protocolError,
} from '@watchword/testkit';
import type { CredentialedRequest } from '../../src/clients/authentication/credentialed-request.ts';
import { OAuthError } from '../../src/model/errors/errors.ts';
import {
  authenticateClient,
  authenticateIntrospectionCaller,
  authenticateResourceServer,
} from './authenticated.ts';

type Authenticate = (request: CredentialedRequest, deps: ProtocolDependencies) => Promise<{ id: number }>;

const callers: [name: string, authenticate: Authenticate, right: string][] = [
  ['a client', authenticateClient, 'test-client:client-secret'],
  ['a resource server', authenticateResourceServer, 'test-api:resource-server-secret'],
  ['a caller of introspection', authenticateIntrospectionCaller, 'test-api:resource-server-secret'],
];

for (const [name, authenticate, right] of callers) {
  const id = right.slice(0, right.indexOf(':'));
  const from = (credentials?: string) => clientRequest({}, credentials, '198.51.100.7');

  describe(`failed attempts to authenticate as ${name}`, () => {
    it('are recorded once, by source and identifier', async () => {
      const deps = protocolDependencies();
      await assert.rejects(authenticate(from(`${id}:wrong`), deps), protocolError('invalid_client'));
      assert.deepEqual(deps.attempts.questions, [['198.51.100.7', id]]);
      assert.deepEqual(deps.attempts.failures, [['198.51.100.7', id]]);
    });

    it('are recorded for an unknown identifier, and for a request without credentials', async () => {
      const deps = protocolDependencies();
      await assert.rejects(authenticate(from('unknown:x'), deps), protocolError('invalid_client'));
      await assert.rejects(authenticate(from(), deps), protocolError('invalid_client'));
      assert.deepEqual(deps.attempts.failures, [
        ['198.51.100.7', 'unknown'],
        ['198.51.100.7', ''],
      ]);
    });

    it('are not recorded when the secret is right', async () => {
      const deps = protocolDependencies();
      assert.ok(await authenticate(from(right), deps));
      assert.deepEqual(deps.attempts.failures, []);
    });

    it('block the right secret for the time of the limiter, without another failure', async () => {
      const deps = protocolDependencies();
      deps.attempts.blockedFor = 17;
      await assert.rejects(authenticate(from(right), deps), tooMany(17));
      assert.deepEqual(deps.attempts.failures, []);
    });

    it('are answered too_many_requests when the source has failed too often', async () => {
      const deps = protocolDependencies();
      deps.attempts.waitAfterFailure = 23;
      await assert.rejects(authenticate(from(`${id}:wrong`), deps), tooMany(23));
      assert.ok(await authenticate(from(right), deps));
    });

    it('at the same time are counted one after the other', async () => {
      const deps = protocolDependencies();
      const { attempts } = deps;
      const limited = {
        ...deps,
        attempts: {
          secondsUntilAllowed: () => (attempts.failures.length < 2 ? 0 : 60),
          recordFailure: attempts.recordFailure.bind(attempts),
        },
      };
      const guesses = Array.from({ length: 10 }, () => authenticate(from(`${id}:wrong`), limited as never));
      await Promise.allSettled(guesses);
      assert.equal(attempts.failures.length, 2);
    });
  });
}

describe('credentials that contradict each other', () => {
  it('are rejected before a secret is verified, and are no failed attempt', async () => {
    const deps = protocolDependencies();
    deps.attempts.blockedFor = 17;
    const right = 'test-client:client-secret';
    for (const form of [{ client_secret: 'client-secret' }, { client_id: 'another' }]) {
      const request = clientRequest(form, right);
      await assert.rejects(authenticateClient(request, deps), protocolError('invalid_request'));
      await assert.rejects(authenticateIntrospectionCaller(request, deps), protocolError('invalid_request'));
    }
    assert.deepEqual([deps.attempts.questions, deps.attempts.failures], [[], []]);
  });
});

function tooMany(seconds: number) {
  return (error: unknown) =>
    error instanceof OAuthError && error.kind === 'too_many_requests' && error.retryAfter === seconds;
}
