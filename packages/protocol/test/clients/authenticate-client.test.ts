import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildClient,
  buildPublicClient,
  clientRequest,
  machineSecret,
  protocolDependencies,
  protocolError,
} from '@watchword/testkit';
import { authenticateClient as withoutPause } from '../../src/clients/authentication/authenticate-client.ts';
import type { ClientAuthenticationMethod } from '../../src/clients/authentication/authentication-method.ts';
import { clientSecretPost } from '../../src/clients/authentication/client-secret-post.ts';
import type { CredentialedRequest } from '../../src/clients/authentication/credentialed-request.ts';
import { rotatedSecret } from '../../src/clients/authentication/machine-secret.ts';
import { OAuthError } from '../../src/model/errors/errors.ts';
import { profileChecks } from '../../src/rules/profile-checks.ts';
import { authenticateClient } from './authenticated.ts';

const byBody = (client_id: string, client_secret?: string) =>
  clientRequest({ client_id, ...(client_secret !== undefined && { client_secret }) });

describe('client authentication', () => {
  it('accepts the secret of a confidential client in the header or in the body', async () => {
    const deps = protocolDependencies();
    for (const request of [
      clientRequest({}, 'test-client:client-secret'),
      byBody('test-client', 'client-secret'),
    ]) {
      assert.equal(await authenticateClient(request, deps), deps.client);
    }
  });

  it('of a right secret waits for no promise, under a profile neither', () => {
    const deps = protocolDependencies();
    const request = clientRequest({}, 'test-client:client-secret');
    for (const name of ['oauth-2.1', 'mcp'] as const) {
      const found = withoutPause(request, { ...deps, profile: profileChecks(name) });
      assert.equal(found, deps.client, name);
    }
  });

  it('answers an unknown client and a wrong secret with the same error', async () => {
    const deps = protocolDependencies();
    const credentials = ['unknown:client-secret', 'test-client:wrong', 'test-client:client-secret '];
    const errors = await Promise.all(
      credentials.map(async (text) => {
        const error = await authenticateClient(clientRequest({}, text), deps).catch((caught) => caught);
        assert.ok(error instanceof OAuthError);
        const { message, kind, retryAfter, violations, cause } = error;
        return { message, kind, retryAfter, violations, cause };
      }),
    );
    assert.equal(errors[0]?.kind, 'invalid_client');
    assert.deepEqual(errors[0], errors[1]);
    assert.deepEqual(errors[0], errors[2]);
  });

  it('rejects missing and malformed credentials', async () => {
    const deps = protocolDependencies();
    for (const authorization of [undefined, '', 'Basic', 'Bearer x', 'Basic !!!']) {
      const request = { ...clientRequest(), headers: { authorization } };
      await assert.rejects(authenticateClient(request, deps), protocolError('invalid_client'));
    }
  });

  it('describes what is missing only when the request shows no credentials', async () => {
    const deps = protocolDependencies();
    const describes = async (request: ReturnType<typeof clientRequest>) => {
      const error = await authenticateClient(request, deps).catch((caught) => caught);
      return /has no client credentials/.test(error.message);
    };
    assert.ok(await describes(clientRequest()));
    assert.ok(await describes(clientRequest({ client_id: '', client_secret: '' })));
    for (const request of [
      clientRequest({ client_secret: 's' }),
      clientRequest({ client_id: 'unknown' }),
      { ...clientRequest(), headers: { authorization: '' } },
    ]) {
      assert.ok(!(await describes(request)));
    }
  });

  it('rejects a confidential client that sends its client_id alone', async () => {
    const deps = protocolDependencies();
    for (const request of [byBody('test-client'), byBody('test-client', '')]) {
      await assert.rejects(authenticateClient(request, deps), protocolError('invalid_client'));
    }
  });

  it('rejects a confidential client whose secret is missing in the registration', async () => {
    const deps = protocolDependencies();
    deps.store.putClient(buildClient({ id: 9, clientId: 'lost', secret: undefined }));
    const requests = [
      byBody('lost'),
      byBody('lost', ''),
      byBody('lost', 'undefined'),
      byBody('lost', 'client-secret'),
      clientRequest({}, 'lost:'),
      clientRequest({}, 'lost:null'),
    ];
    for (const request of requests) {
      await assert.rejects(authenticateClient(request, deps), protocolError('invalid_client'));
    }
  });

  it('describes missing credentials, and never what is wrong with those that came', async () => {
    const deps = protocolDependencies();
    const described = async (request: CredentialedRequest) => {
      const error = await authenticateClient(request, deps).catch((caught) => caught);
      assert.ok(protocolError('invalid_client')(error));
      return error.message;
    };
    const usual = await described(byBody('test-client', 'wrong'));
    assert.notEqual(await described(clientRequest()), usual);
    for (const request of [
      byBody('unknown', 'x'),
      byBody('test-client'),
      clientRequest({}, 'test-client:'),
    ]) {
      assert.equal(await described(request), usual);
    }
  });

  it('makes a caller wait from the failure on with which the limit is reached', async () => {
    const deps = protocolDependencies();
    deps.attempts.waitAfterFailure = 3;
    const error = await authenticateClient(byBody('test-client', 'wrong'), deps).catch((caught) => caught);
    assert.ok(protocolError('too_many_requests')(error));
    assert.equal(error.retryAfter, 3);
  });

  it('accepts a public client by its client_id alone', async () => {
    const deps = protocolDependencies();
    const client = deps.store.putClient(buildPublicClient());
    assert.equal(await authenticateClient(byBody('public-client'), deps), client);
  });

  it('rejects a public client that shows a secret, even one that is stored', async () => {
    const deps = protocolDependencies();
    for (const secret of [undefined, machineSecret('x')]) {
      deps.store.putClient(buildPublicClient({ secret }));
      for (const request of [byBody('public-client', 'x'), clientRequest({}, 'public-client:x')]) {
        await assert.rejects(authenticateClient(request, deps), protocolError('invalid_client'));
      }
    }
  });

  it('accepts the previous secret after a rotation until the end of the overlap', async () => {
    const deps = protocolDependencies();
    const secret = rotatedSecret('new', machineSecret('client-secret'), deps.clock.now(), 1);
    const client = deps.store.putClient({ ...deps.client, secret });
    const authenticate = (text: string) => authenticateClient(byBody('test-client', text), deps);
    deps.clock.advance(999);
    assert.equal(await authenticate('client-secret'), client);
    assert.equal(await authenticate('new'), client);
    deps.clock.advance(1);
    await assert.rejects(authenticate('client-secret'), protocolError('invalid_client'));
    assert.equal(await authenticate('new'), client);
  });

  it('rejects the credentials of a resource server', async () => {
    const deps = protocolDependencies();
    const request = clientRequest({}, 'test-api:resource-server-secret');
    await assert.rejects(authenticateClient(request, deps), protocolError('invalid_client'));
  });
});

describe('a further method of client authentication', () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const byHeader: ClientAuthenticationMethod = {
    ...clientSecretPost(protocolDependencies()),
    read({ headers: { 'x-test-proof': proof } }) {
      return typeof proof === 'string' ? { id: 'test-client', proof } : undefined;
    },
    verify: (_credentials, _caller, { method, url }) =>
      method === 'POST' && url === 'https://as.example/oauth2/token' && promise,
  };
  const withHeader = (form: Record<string, string> = {}, credentials?: string) => {
    const request = clientRequest(form, credentials);
    return { ...request, headers: { ...request.headers, 'x-test-proof': 'signed' } };
  };
  const dependencies = () => {
    const deps = protocolDependencies();
    return { ...deps, authenticationMethods: [byHeader, ...deps.authenticationMethods] };
  };

  it('can verify later, by method, URL and headers of the request', async () => {
    const deps = dependencies();
    const authenticated = authenticateClient(withHeader({ client_id: 'test-client' }), deps);
    resolve(true);
    assert.equal(await authenticated, deps.client);
  });

  it('is not enough for a client that is registered for other methods', async () => {
    const deps = dependencies();
    deps.store.putClient(buildPublicClient({ id: deps.client.id, clientId: 'test-client' }));
    await assert.rejects(authenticateClient(withHeader(), deps), protocolError('invalid_client'));
  });

  it('says itself which clients are registered for it, and why it failed', async () => {
    const deps = protocolDependencies();
    // It has a name that nothing else knows, and a client without a secret.
    const byKey: ClientAuthenticationMethod = {
      ...byHeader,
      name: 'private_key_jwt',
      isRegisteredFor: ({ secret }) => secret === undefined,
      verify: ({ proof }) => proof === 'signed',
      whyFailed: ({ proof }) => ({ rule: 'client_secret', reason: `${proof} is no proof.` }),
    };
    const node = { ...deps, authenticationMethods: [byKey, ...deps.authenticationMethods] };
    const unregistered = await authenticateClient(withHeader(), node).catch((error) => error);
    assert.equal(unregistered.reason, 'signed is no proof.');
    const client = buildClient({ id: deps.client.id, clientId: 'test-client', secret: undefined });
    deps.store.putClient(client);
    assert.equal(await authenticateClient(withHeader(), node), client);
    const bySecret = authenticateClient(clientRequest({}, 'test-client:client-secret'), node);
    await assert.rejects(bySecret, protocolError('invalid_client'));
  });

  it('must be the only one in a request, and agree with the client_id', async () => {
    const deps = dependencies();
    for (const request of [
      withHeader({}, 'test-client:client-secret'),
      withHeader({ client_id: 'test-client', client_secret: 'client-secret' }),
      withHeader({ client_id: 'another' }),
    ]) {
      await assert.rejects(authenticateClient(request, deps), protocolError('invalid_request'));
    }
  });
});
