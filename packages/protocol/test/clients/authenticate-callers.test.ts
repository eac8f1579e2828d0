import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  basic,
  buildClient,
  buildPublicClient,
  buildResourceServer,
  clientRequest,
  machineSecret,
  protocolDependencies,
  protocolError,
} from '@watchword/testkit';
import type { ClientAuthenticationMethod } from '../../src/clients/authentication/authentication-method.ts';
import { clientSecretBasic } from '../../src/clients/authentication/client-secret-basic.ts';
import {
  authenticateClient,
  authenticateIntrospectionCaller,
  authenticateResourceServer,
} from './authenticated.ts';

describe('authentication of a resource server', () => {
  it('accepts key and secret by HTTP Basic', async () => {
    const deps = protocolDependencies();
    const request = clientRequest({}, 'test-api:resource-server-secret');
    assert.equal(await authenticateResourceServer(request, deps), deps.resourceServer);
  });

  it('accepts nothing else', async () => {
    const deps = protocolDependencies();
    const headers = [
      undefined,
      '',
      'Basic',
      basic('test-api:wrong'),
      basic('test-api:'),
      basic('unknown:resource-server-secret'),
      basic('test-client:client-secret'),
      basic('test-api:resource-server-secret').replace('Basic', 'Bearer'),
    ];
    const form = { client_id: 'test-api', client_secret: 'resource-server-secret' };
    for (const authorization of headers) {
      const request = { ...clientRequest(form), headers: { authorization } };
      await assert.rejects(authenticateResourceServer(request, deps), protocolError('invalid_client'));
    }
  });

  it('says whose secret was wrong', async () => {
    const deps = protocolDependencies();
    for (const [authenticate, credentials, rule] of [
      [authenticateResourceServer, 'test-api:wrong', 'resource_server_secret'],
      [authenticateIntrospectionCaller, 'test-api:wrong', 'resource_server_secret'],
      [authenticateIntrospectionCaller, 'test-client:wrong', 'client_secret'],
    ] as const) {
      const error = await authenticate(clientRequest({}, credentials), deps).catch((caught) => caught);
      assert.equal(error.rule, rule);
    }
  });

  it('accepts the previous secret until the end of the overlap', async () => {
    const deps = protocolDependencies();
    const end = deps.clock.now() + 1000;
    const previousHash = machineSecret('old').hash;
    deps.store.putResourceServer(
      buildResourceServer({ secret: { ...machineSecret('new'), previousHash, previousValidUntil: end } }),
    );
    const authenticate = () => authenticateResourceServer(clientRequest({}, 'test-api:old'), deps);
    deps.clock.advance(999);
    assert.equal((await authenticate()).key, 'test-api');
    deps.clock.advance(1);
    await assert.rejects(authenticate(), protocolError('invalid_client'));
  });
});

describe('authentication of a caller of introspection', () => {
  it('accepts a resource server and a confidential client, by header or body', async () => {
    const deps = protocolDependencies();
    const { client, resourceServer } = deps;
    for (const [id, secret, expected] of [
      ['test-api', 'resource-server-secret', resourceServer],
      ['test-client', 'client-secret', client],
    ] as const) {
      for (const request of [
        clientRequest({}, `${id}:${secret}`),
        clientRequest({ client_id: id, client_secret: secret }),
      ]) {
        assert.equal(await authenticateIntrospectionCaller(request, deps), expected);
      }
    }
  });

  it('rejects a public client, because any caller can send its client_id', async () => {
    const deps = protocolDependencies();
    deps.store.putClient(buildPublicClient());
    const request = clientRequest({ client_id: 'public-client' });
    await assert.rejects(authenticateIntrospectionCaller(request, deps), protocolError('invalid_client'));
    assert.deepEqual(deps.attempts.failures, [[request.source, 'public-client']]);
  });

  it('keeps a client and a resource server of the same identifier apart by their secrets', async () => {
    const deps = protocolDependencies();
    const client = deps.store.putClient(
      buildClient({ id: 9, clientId: 'test-api', secret: machineSecret('of-the-client') }),
    );
    const caller = (secret: string) =>
      authenticateIntrospectionCaller(clientRequest({}, `test-api:${secret}`), deps);
    assert.equal(await caller('of-the-client'), client);
    assert.equal(await caller('resource-server-secret'), deps.resourceServer);
    await assert.rejects(caller('wrong'), protocolError('invalid_client'));
  });

  it('rejects a request without credentials and one with two methods', async () => {
    const deps = protocolDependencies();
    const twoMethods = clientRequest({ client_secret: 's' }, 'test-client:client-secret');
    for (const [request, kind] of [
      [clientRequest(), 'invalid_client'],
      [twoMethods, 'invalid_request'],
    ] as const) {
      await assert.rejects(authenticateIntrospectionCaller(request, deps), protocolError(kind));
    }
  });
});

describe('a client that is registered for one method', () => {
  const basicly = clientRequest({}, 'test-client:client-secret');
  const posted = clientRequest({ client_id: 'test-client', client_secret: 'client-secret' });
  const alone = clientRequest({ client_id: 'test-client' });
  const emptily = clientRequest({}, 'test-client:');
  const requests = { basicly, posted, alone, emptily };

  it('authenticates by that one at every endpoint, and by no weaker one', async () => {
    for (const [tokenEndpointAuthMethod, confidential, accepted] of [
      ['', true, ['basicly', 'posted']],
      ['client_secret_basic', true, ['basicly']],
      ['client_secret_post', true, ['posted']],
      // A node of another release can have made it confidential, or public.
      ['none', true, []],
      ['client_secret_basic', false, ['alone', 'emptily']],
      ['none', false, ['alone', 'emptily']],
    ] as const) {
      const deps = protocolDependencies();
      const client = { ...deps.client, tokenEndpointAuthMethod, confidential };
      deps.store.putClient(confidential ? client : { ...client, secret: undefined });
      for (const [name, request] of Object.entries(requests)) {
        const isAccepted = (accepted as readonly string[]).includes(name);
        const which = `${tokenEndpointAuthMethod} ${confidential} ${name}`;
        for (const authenticate of [authenticateClient, authenticateIntrospectionCaller]) {
          // No public client introspects.
          if (authenticate === authenticateIntrospectionCaller && !confidential) continue;
          const caller = authenticate(request, deps);
          if (isAccepted) assert.equal((await caller).id, client.id, which);
          else await assert.rejects(caller, protocolError('invalid_client'), which);
        }
      }
    }
  });
});

describe('a method that takes a pause to verify credentials', () => {
  it('decides as one that takes none, for one caller and for two of one name', async () => {
    const deps = protocolDependencies();
    for (const isRight of [true, false]) {
      const basic: ClientAuthenticationMethod = {
        ...clientSecretBasic(deps),
        verify: (_, caller) => caller !== undefined && Promise.resolve(isRight),
      };
      const node = { ...deps, authenticationMethods: [basic] };
      const request = clientRequest({}, 'test-client:any');
      for (const authenticate of [authenticateClient, authenticateIntrospectionCaller]) {
        const caller = authenticate(request, node);
        if (isRight) assert.equal(await caller, deps.client);
        else await assert.rejects(caller, protocolError('invalid_client'));
      }
    }
  });

  it('verifies them twice at most while the record changes each time', async () => {
    const deps = protocolDependencies();
    let asked = 0;
    const basic: ClientAuthenticationMethod = {
      ...clientSecretBasic(deps),
      async verify() {
        asked += 1;
        assert.ok(asked < 5, 'it verifies again and again');
        deps.store.putClient({ ...deps.client, expireDuration: asked });
        return true;
      },
    };
    const node = { ...deps, authenticationMethods: [basic] };
    const caller = authenticateClient(clientRequest({}, 'test-client:any'), node);
    await assert.rejects(caller, protocolError('invalid_client'));
    assert.equal(asked, 2);
  });
});
