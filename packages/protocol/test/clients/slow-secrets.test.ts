import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildClient,
  buildResourceServer,
  clientRequest,
  machineSecret,
  protocolDependencies,
  protocolError,
} from '@watchword/testkit';
import { chosenSecret, rotatedSecret } from '../../src/clients/authentication/machine-secret.ts';
import { slowSecrets } from '../../src/clients/authentication/slow-secrets.ts';
import { OAuthError } from '../../src/model/errors/errors.ts';
import { sha256 } from '../../src/rules/sha256.ts';
import {
  authenticateClient,
  authenticateIntrospectionCaller,
  authenticateResourceServer,
} from './authenticated.ts';

const secret = 'weak';

/** A client and a resource server, both named `moved`, with the same secret. */
async function dependencies() {
  const deps = protocolDependencies();
  const hashed = async () => chosenSecret(secret, await deps.passwords.hash(secret)).stored;
  const fields = { clientId: 'moved', secret: await hashed() };
  const client = deps.store.putClient(buildClient({ id: 9, ...fields }));
  const resourceServer = deps.store.putResourceServer(
    buildResourceServer({ id: 9, key: 'moved', name: 'Moved', secret: await hashed() }),
  );
  const { compared } = deps.passwords;
  return {
    ...deps,
    moved: client,
    movedServer: resourceServer,
    compared,
    authenticate: (text = `moved:${secret}`, source?: string) =>
      authenticateClient(clientRequest({}, text, source), deps),
    put: (changes: Parameters<typeof buildClient>[0]) =>
      deps.store.putClient(buildClient({ ...client, ...changes })),
  };
}

describe('a secret that can be guessed', () => {
  it('is verified by its slow hash, and by memory after that', async () => {
    const deps = await dependencies();
    assert.equal(await deps.authenticate(), deps.moved);
    assert.equal(deps.compared.length, 1);
    assert.deepEqual(deps.secretAttempts.calls, [
      ['begin', 'client moved', '192.0.2.1'],
      ['succeed', 'client moved', '192.0.2.1'],
    ]);
    assert.equal(await deps.authenticate(), deps.moved);
    const inBody = clientRequest({ client_id: 'moved', client_secret: secret });
    assert.equal(await authenticateClient(inBody, deps), deps.moved);
    assert.equal(deps.compared.length, 1);
  });

  it('is remembered for its own record only', async () => {
    const deps = await dependencies();
    await deps.authenticate();
    const request = clientRequest({}, `moved:${secret}`);
    assert.equal(await authenticateResourceServer(request, deps), deps.movedServer);
    assert.equal(deps.compared.length, 2);
    assert.deepEqual(
      deps.secretAttempts.calls.map(([call, caller]) => `${call} ${caller}`),
      [
        'begin client moved',
        'succeed client moved',
        'begin resource server moved',
        'succeed resource server moved',
      ],
    );
  });

  it('is wrong with the same answer as an unknown client, and the failure is counted', async () => {
    const deps = await dependencies();
    const answers = await Promise.all(
      ['moved:wrong', 'unknown:wrong'].map(async (text) => {
        const error = await deps.authenticate(text).catch((caught) => caught);
        assert.ok(error instanceof OAuthError);
        const { message, kind, retryAfter, violations, cause } = error;
        return { message, kind, retryAfter, violations, cause };
      }),
    );
    assert.equal(answers[0]?.kind, 'invalid_client');
    assert.deepEqual(answers[0], answers[1]);
    assert.deepEqual(deps.secretAttempts.calls, [['begin', 'client moved', '192.0.2.1']]);
    assert.equal(deps.attempts.failures.length, 2);
    await assert.rejects(deps.authenticate('moved:wrong'), protocolError('invalid_client'));
    assert.equal(deps.compared.length, 2, 'a wrong secret is not remembered');
  });

  it('is wrong also after the right one is remembered', async () => {
    const deps = await dependencies();
    await deps.authenticate();
    await assert.rejects(deps.authenticate('moved:wrong'), protocolError('invalid_client'));
    assert.equal(await deps.authenticate(), deps.moved);
  });

  it('is remembered with the last ten thousand', async () => {
    const { secretAttempts } = protocolDependencies();
    const slow = slowSecrets({ hash: async () => '', matches: async () => true }, secretAttempts);
    const clients = Array.from({ length: 10_001 }, (_, id) =>
      buildClient({
        id,
        clientId: String(id),
        secret: chosenSecret(secret, `a slow hash of client ${id}`).stored,
      }),
    );
    const isRemembered = (id: number) =>
      slow.isRemembered(clients[id]?.secret?.hash ?? assert.fail('no secret'), sha256(secret));
    for (const client of clients.slice(0, -1)) await slow.matches(client, secret, '192.0.2.1', 0);
    assert.deepEqual([isRemembered(0), isRemembered(9999)], [true, true]);
    await slow.matches(clients[10_000] ?? assert.fail('no client'), secret, '192.0.2.1', 0);
    assert.deepEqual([isRemembered(0), isRemembered(1), isRemembered(10_000)], [false, true, true]);
  });

  it('is not compared with a text that no weak secret can be', async () => {
    const deps = await dependencies();
    for (const text of ['moved:1234567890123456', 'moved:', 'unknown:weak']) {
      await assert.rejects(deps.authenticate(text), protocolError('invalid_client'));
    }
    assert.deepEqual([deps.compared, deps.secretAttempts.calls], [[], []]);
  });

  it('is not compared while too many guesses were wrong, unless it is remembered', async () => {
    const deps = await dependencies();
    deps.secretAttempts.wait = 1500;
    const error = await deps.authenticate().catch((caught) => caught);
    assert.ok(protocolError('too_many_requests')(error));
    assert.equal(error.retryAfter, 2);
    assert.deepEqual([deps.compared, deps.attempts.failures], [[], []]);
    deps.secretAttempts.wait = 0;
    await deps.authenticate();
    deps.secretAttempts.wait = 1500;
    assert.equal(await deps.authenticate(), deps.moved);
  });

  it('is not a failed attempt while too many passwords wait', async () => {
    const deps = await dependencies();
    deps.passwords.failure = new OAuthError('temporarily_unavailable', { retryAfter: 2 });
    await assert.rejects(deps.authenticate(), protocolError('temporarily_unavailable'));
    assert.deepEqual(
      deps.secretAttempts.calls.map(([call]) => call),
      ['begin', 'withdraw'],
    );
    assert.deepEqual(deps.attempts.failures, []);
    assert.equal(await deps.authenticate(), deps.moved);
  });

  it('is one attempt for requests that present it at the same time', async () => {
    const deps = await dependencies();
    const all = await Promise.all(Array.from({ length: 20 }, () => deps.authenticate()));
    assert.ok(all.every((client) => client === deps.moved));
    assert.equal(deps.compared.length, 1);
  });

  it('is no longer valid at once after a rotation, a deletion, and the end of an overlap', async () => {
    const deps = await dependencies();
    await deps.authenticate();
    const { moved, clock } = deps;
    deps.put({ secret: rotatedSecret('new', moved.secret, clock.now(), 1) });
    assert.equal((await deps.authenticate()).clientId, 'moved', 'within the overlap');
    clock.advance(1000);
    await assert.rejects(deps.authenticate(), protocolError('invalid_client'));
    deps.put({ secret: rotatedSecret('new', moved.secret, clock.now(), 0) });
    await assert.rejects(deps.authenticate(), protocolError('invalid_client'));
    await deps.store.clients.delete(moved.id);
    await assert.rejects(deps.authenticate(), protocolError('invalid_client'));
    assert.equal(deps.compared.length, 1);
  });

  it('is verified again when it was imported again, by another hash', async () => {
    const deps = await dependencies();
    await deps.authenticate();
    deps.put({ secret: chosenSecret('weaker', await deps.passwords.hash('weaker')).stored });
    await assert.rejects(deps.authenticate(), protocolError('invalid_client'));
    assert.equal((await deps.authenticate('moved:weaker')).clientId, 'moved');
  });

  it('is not valid if the record is rotated or deleted while its hash is computed', async () => {
    for (const change of [
      (deps: Awaited<ReturnType<typeof dependencies>>) => void deps.put({ secret: machineSecret('new') }),
      (deps: Awaited<ReturnType<typeof dependencies>>) => deps.store.clients.delete(deps.moved.id),
    ]) {
      const deps = await dependencies();
      const { begin } = deps.secretAttempts;
      deps.secretAttempts.begin = async (...given) => {
        await change(deps);
        return begin.apply(deps.secretAttempts, given);
      };
      await assert.rejects(deps.authenticate(), protocolError('invalid_client'));
      assert.equal(deps.compared.length, 1);
    }
  });

  it('is valid for the record as it is after another field has changed meanwhile', async () => {
    const deps = await dependencies();
    const { succeed } = deps.secretAttempts;
    deps.secretAttempts.succeed = async (...given) => {
      deps.put({ expireDuration: 77 });
      return succeed.apply(deps.secretAttempts, given);
    };
    assert.equal((await deps.authenticate()).expireDuration, 77);
    assert.deepEqual(deps.attempts.failures, []);
  });

  it('is that of the one of two callers of its name that has it', async () => {
    const deps = await dependencies();
    deps.put({ secret: machineSecret('a secret that nobody can guess') });
    const request = clientRequest({}, `moved:${secret}`);
    assert.equal(await authenticateIntrospectionCaller(request, deps), deps.movedServer);
    const other = await dependencies();
    const strong = machineSecret('a secret that nobody can guess');
    other.store.putResourceServer({ ...other.movedServer, secret: strong });
    assert.equal(await authenticateIntrospectionCaller(request, other), other.moved);
  });

  it('does not slow down another caller of its name', async () => {
    const deps = await dependencies();
    const strong = machineSecret('short');
    deps.store.putResourceServer(buildResourceServer({ ...deps.movedServer, secret: strong }));
    const caller = await authenticateIntrospectionCaller(clientRequest({}, 'moved:short'), deps);
    assert.equal(caller.id, deps.movedServer.id);
    assert.deepEqual(deps.compared, []);
  });

  it('is not accepted by a method that the endpoint does not take, or the caller cannot use', async () => {
    const deps = await dependencies();
    const inBody = clientRequest({ client_id: 'moved', client_secret: secret });
    await assert.rejects(authenticateResourceServer(inBody, deps), protocolError('invalid_client'));
    deps.put({ confidential: false });
    await assert.rejects(deps.authenticate(), protocolError('invalid_client'));
    assert.deepEqual(deps.compared, []);
  });
});
