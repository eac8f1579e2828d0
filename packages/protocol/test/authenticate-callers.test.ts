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
  refusal,
} from '@watchword/testkit';
import { authenticateIntrospectionCaller, authenticateResourceServer } from '../src/clients/authenticate.ts';

describe('authenticating a resource server', () => {
  it('it is known by its key and secret in HTTP Basic', () => {
    const deps = protocolDependencies();
    const request = clientRequest({}, 'test-api:resource-server-secret');
    assert.equal(authenticateResourceServer(request, deps), deps.resourceServer);
  });

  it('nothing else will do', () => {
    const deps = protocolDependencies();
    const headers = [
      undefined,
      '',
      'Basic',
      basic('test-api:wrong'),
      basic('test-api:'),
      basic('nobody:resource-server-secret'),
      basic('test-client:client-secret'),
      basic('test-api:resource-server-secret').replace('Basic', 'Bearer'),
    ];
    for (const authorization of headers) {
      assert.throws(
        () => authenticateResourceServer({ authorization, source: 'x' }, deps),
        refusal('invalid_client'),
      );
    }
  });

  it('its previous secret counts until its end', () => {
    const deps = protocolDependencies();
    const end = deps.clock.now() + 1000;
    const previousHash = machineSecret('old').hash;
    deps.store.putResourceServer(
      buildResourceServer({ secret: { ...machineSecret('new'), previousHash, previousValidUntil: end } }),
    );
    const authenticate = () => authenticateResourceServer(clientRequest({}, 'test-api:old'), deps);
    deps.clock.advance(999);
    assert.equal(authenticate().key, 'test-api');
    deps.clock.advance(1);
    assert.throws(authenticate, refusal('invalid_client'));
  });
});

describe('authenticating who introspects', () => {
  it('a resource server and a confidential client are known, by header or body', () => {
    const deps = protocolDependencies();
    const { client, resourceServer } = deps;
    const byBody = (client_id: string, client_secret: string) => clientRequest({ client_id, client_secret });
    const asServer = { resourceServer };
    const caller = (request: ReturnType<typeof byBody>) => authenticateIntrospectionCaller(request, deps);
    assert.deepEqual(caller(clientRequest({}, 'test-api:resource-server-secret')), asServer);
    assert.deepEqual(caller(byBody('test-api', 'resource-server-secret')), asServer);
    assert.deepEqual(caller(clientRequest({}, 'test-client:client-secret')), { client });
    assert.deepEqual(caller(byBody('test-client', 'client-secret')), { client });
  });

  it('a public client is refused: anyone can claim to be one', () => {
    const deps = protocolDependencies();
    deps.store.putClient(buildPublicClient());
    assert.throws(
      () => authenticateIntrospectionCaller(clientRequest({ client_id: 'public-client' }), deps),
      refusal('invalid_client'),
    );
  });

  it('the secret of the one never opens the other of the same name', () => {
    const deps = protocolDependencies();
    const client = deps.store.putClient(
      buildClient({ id: 9, clientId: 'test-api', secret: machineSecret('of-the-client') }),
    );
    const caller = (secret: string) =>
      authenticateIntrospectionCaller(clientRequest({}, `test-api:${secret}`), deps);
    assert.deepEqual(caller('of-the-client'), { client });
    assert.deepEqual(caller('resource-server-secret'), { resourceServer: deps.resourceServer });
    assert.throws(() => caller('wrong'), refusal('invalid_client'));
  });

  it('nobody and two methods are refused', () => {
    const deps = protocolDependencies();
    assert.throws(() => authenticateIntrospectionCaller(clientRequest(), deps), refusal('invalid_client'));
    assert.throws(
      () =>
        authenticateIntrospectionCaller(
          clientRequest({ client_secret: 's' }, 'test-client:client-secret'),
          deps,
        ),
      refusal('invalid_request'),
    );
  });
});
