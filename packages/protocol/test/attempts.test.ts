import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientRequest, type ProtocolDependencies, protocolDependencies, refusal } from '@watchword/testkit';
import {
  authenticateClient,
  authenticateIntrospectionCaller,
  authenticateResourceServer,
} from '../src/clients/authenticate.ts';
import type { CredentialedRequest } from '../src/clients/presented-credentials.ts';
import { OAuthError } from '../src/model/errors.ts';

type Authenticate = (request: CredentialedRequest, deps: ProtocolDependencies) => unknown;

const callers: [name: string, authenticate: Authenticate, right: string][] = [
  ['a client', authenticateClient, 'test-client:client-secret'],
  ['a resource server', authenticateResourceServer, 'test-api:resource-server-secret'],
  ['who introspects', authenticateIntrospectionCaller, 'test-api:resource-server-secret'],
];

for (const [name, authenticate, right] of callers) {
  const id = right.slice(0, right.indexOf(':'));
  const from = (credentials?: string) => clientRequest({}, credentials, '198.51.100.7');

  describe(`failed attempts to be ${name}`, () => {
    it('are recorded once, by source and identifier', () => {
      const deps = protocolDependencies();
      assert.throws(() => authenticate(from(`${id}:wrong`), deps), refusal('invalid_client'));
      assert.deepEqual(deps.attempts.questions, [['198.51.100.7', id]]);
      assert.deepEqual(deps.attempts.failures, [['198.51.100.7', id]]);
    });

    it('are recorded for an unknown identifier, and for none', () => {
      const deps = protocolDependencies();
      assert.throws(() => authenticate(from('nobody:x'), deps), refusal('invalid_client'));
      assert.throws(() => authenticate(from(), deps), refusal('invalid_client'));
      assert.deepEqual(deps.attempts.failures, [
        ['198.51.100.7', 'nobody'],
        ['198.51.100.7', ''],
      ]);
    });

    it('are none when the secret is right', () => {
      const deps = protocolDependencies();
      assert.notEqual(authenticate(from(right), deps), undefined);
      assert.deepEqual(deps.attempts.failures, []);
    });

    it('block even the right secret for as long as the limiter says, uncounted', () => {
      const deps = protocolDependencies();
      deps.attempts.blockedFor = 17;
      assert.throws(() => authenticate(from(right), deps), tooMany(17));
      assert.deepEqual(deps.attempts.failures, []);
    });

    it('are answered too_many_requests when the source has failed too often', () => {
      const deps = protocolDependencies();
      deps.attempts.waitAfterFailure = 23;
      assert.throws(() => authenticate(from(`${id}:wrong`), deps), tooMany(23));
      assert.notEqual(authenticate(from(right), deps), undefined);
    });
  });
}

function tooMany(seconds: number) {
  return (error: unknown) =>
    error instanceof OAuthError && error.kind === 'too_many_requests' && error.retryAfter === seconds;
}
