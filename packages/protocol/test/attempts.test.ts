import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { clientRequest, type ProtocolWorld, protocolWorld, refusal } from '@watchword/testkit';
import {
  authenticateClient,
  authenticateIntrospectionCaller,
  authenticateResourceServer,
} from '../src/credentials/authenticate.ts';
import type { CredentialedRequest } from '../src/credentials/presented-credentials.ts';
import { OAuthError } from '../src/errors.ts';

type Authenticate = (request: CredentialedRequest, world: ProtocolWorld) => unknown;

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
      const world = protocolWorld();
      assert.throws(() => authenticate(from(`${id}:wrong`), world), refusal('invalid_client'));
      assert.deepEqual(world.attempts.questions, [['198.51.100.7', id]]);
      assert.deepEqual(world.attempts.failures, [['198.51.100.7', id]]);
    });

    it('are recorded for an unknown identifier, and for none', () => {
      const world = protocolWorld();
      assert.throws(() => authenticate(from('nobody:x'), world), refusal('invalid_client'));
      assert.throws(() => authenticate(from(), world), refusal('invalid_client'));
      assert.deepEqual(world.attempts.failures, [
        ['198.51.100.7', 'nobody'],
        ['198.51.100.7', ''],
      ]);
    });

    it('are none when the secret is right', () => {
      const world = protocolWorld();
      assert.notEqual(authenticate(from(right), world), undefined);
      assert.deepEqual(world.attempts.failures, []);
    });

    it('block even the right secret for as long as the limiter says, uncounted', () => {
      const world = protocolWorld();
      world.attempts.blockedFor = 17;
      assert.throws(() => authenticate(from(right), world), tooMany(17));
      assert.deepEqual(world.attempts.failures, []);
    });

    it('are answered too_many_requests when the source has failed too often', () => {
      const world = protocolWorld();
      world.attempts.waitAfterFailure = 23;
      assert.throws(() => authenticate(from(`${id}:wrong`), world), tooMany(23));
      assert.notEqual(authenticate(from(right), world), undefined);
    });
  });
}

function tooMany(seconds: number) {
  return (error: unknown) =>
    error instanceof OAuthError && error.kind === 'too_many_requests' && error.retryAfter === seconds;
}
