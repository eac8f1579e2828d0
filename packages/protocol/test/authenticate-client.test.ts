import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildClient,
  buildPublicClient,
  clientRequest,
  machineSecret,
  protocolDependencies,
  refusal,
} from '@watchword/testkit';
import { authenticateClient } from '../src/clients/authenticate.ts';
import { rotatedSecret } from '../src/clients/machine-secret.ts';

const byBody = (client_id: string, client_secret?: string) =>
  clientRequest({ client_id, ...(client_secret !== undefined && { client_secret }) });

describe('authenticating a client', () => {
  it('a confidential client is known by its secret, in the header or the body', () => {
    const deps = protocolDependencies();
    assert.equal(authenticateClient(clientRequest({}, 'test-client:client-secret'), deps), deps.client);
    assert.equal(authenticateClient(byBody('test-client', 'client-secret'), deps), deps.client);
  });

  it('an unknown client and a wrong secret are the same refusal', () => {
    const deps = protocolDependencies();
    const refusals = ['nobody:client-secret', 'test-client:wrong', 'test-client:client-secret '].map(
      (credentials) => {
        try {
          return authenticateClient(clientRequest({}, credentials), deps) && assert.fail('authenticated');
        } catch (error) {
          refusal('invalid_client')(error);
          const { message, kind, retryAfter, violations, cause } = error as Record<string, unknown>;
          return { message, kind, retryAfter, violations, cause };
        }
      },
    );
    assert.deepEqual(refusals[0], refusals[1]);
    assert.deepEqual(refusals[0], refusals[2]);
  });

  it('no credentials and malformed ones are refused', () => {
    const deps = protocolDependencies();
    for (const authorization of [undefined, '', 'Basic', 'Bearer x', 'Basic !!!']) {
      assert.throws(
        () => authenticateClient({ ...clientRequest(), authorization }, deps),
        refusal('invalid_client'),
      );
    }
  });

  it('a confidential client is not known by its client_id alone', () => {
    const deps = protocolDependencies();
    for (const request of [byBody('test-client'), byBody('test-client', '')]) {
      assert.throws(() => authenticateClient(request, deps), refusal('invalid_client'));
    }
  });

  it('a confidential client whose secret is missing is never known', () => {
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
      assert.throws(() => authenticateClient(request, deps), refusal('invalid_client'));
    }
  });

  it('a public client is known by its client_id alone', () => {
    const deps = protocolDependencies();
    const client = deps.store.putClient(buildPublicClient());
    assert.equal(authenticateClient(byBody('public-client'), deps), client);
  });

  it('a public client that shows a secret is refused', () => {
    const deps = protocolDependencies();
    deps.store.putClient(buildPublicClient());
    for (const request of [byBody('public-client', 'x'), clientRequest({}, 'public-client:x')]) {
      assert.throws(() => authenticateClient(request, deps), refusal('invalid_client'));
    }
  });

  it('after a rotation the previous secret counts until its end, the new one for good', () => {
    const deps = protocolDependencies();
    const secret = rotatedSecret('new', machineSecret('client-secret'), deps.clock.now(), 1);
    const client = deps.store.putClient({ ...deps.client, secret });
    const authenticate = (text: string) => authenticateClient(byBody('test-client', text), deps);
    deps.clock.advance(999);
    assert.equal(authenticate('client-secret'), client);
    assert.equal(authenticate('new'), client);
    deps.clock.advance(1);
    assert.throws(() => authenticate('client-secret'), refusal('invalid_client'));
    assert.equal(authenticate('new'), client);
  });

  it("a resource server's credentials are not a client's", () => {
    const deps = protocolDependencies();
    assert.throws(
      () => authenticateClient(clientRequest({}, 'test-api:resource-server-secret'), deps),
      refusal('invalid_client'),
    );
  });
});
