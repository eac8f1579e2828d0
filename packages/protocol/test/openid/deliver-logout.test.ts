import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type DeliverLogoutDependencies,
  deliverLogout,
  type LogoutDelivery,
  maxLogoutAttempts,
  type OutboundFetch,
  type OutboundRequest,
  waitAfter,
} from '@watchword/protocol';
import {
  buildClient,
  FakeClock,
  memoryStore,
  seededRandom,
  sessionFactory,
  testSigner,
} from '@watchword/testkit';
import { decodeJwt, decodeProtectedHeader } from 'jose';

const uri = 'https://app.example/backchannel';

/** A delivery to a client, whose receiver answers with the status. */
async function due(status: number | Error, overrides: Partial<Parameters<typeof buildClient>[0]> = {}) {
  const clock = new FakeClock();
  const store = memoryStore(clock);
  const client = store.putClient(
    buildClient({ id: 7, clientId: 'web-app', backchannelLogoutUri: uri, ...overrides }),
  );
  const session = sessionFactory()();
  await store.loginSessions.insert(session);
  const { id, expires } = session;
  const entry = { id, sessionId: id, clientRecordId: client.id, sid: 'the-sid', subject: 'the-sub', expires };
  await store.sessionClients.insert(entry);
  await store.loginSessions.delete(id, { now: clock.now() });
  const [delivery] = await store.logoutDeliveries.listDue(clock.now(), 1);
  assert.ok(delivery);
  const requests: (readonly [string, OutboundRequest])[] = [];
  let isClosed = false;
  const outboundFetch: OutboundFetch = async (url, request = {}) => {
    requests.push([String(url), request]);
    if (status instanceof Error) throw status;
    const unread = (): never => assert.fail('the body is read');
    const close = () => {
      isClosed = true;
    };
    return {
      url: new URL(url),
      status,
      headers: {},
      get content() {
        return unread();
      },
      bytes: unread,
      text: unread,
      json: unread,
      close,
      [Symbol.dispose]: close,
    };
  };
  const deps: DeliverLogoutDependencies = {
    ...store,
    signer: testSigner(['EdDSA', 'ES256']),
    outboundFetch,
    clock,
    random: seededRandom('deliveries'),
    issuer: 'https://id.example',
  };
  const stored = async (): Promise<LogoutDelivery | undefined> => store.logoutDeliveries.find(id);
  return { clock, store, delivery, deps, requests, stored, isClosed: () => isClosed };
}

describe('a logout token', () => {
  it('is posted as a form, and has the claims of a logout token and no others', async () => {
    const { deps, delivery, requests, clock } = await due(200);
    await deliverLogout(delivery, deps);
    const [[url, request] = ['', {}]] = requests;
    assert.equal(url, uri);
    assert.equal(request.method, 'POST');
    assert.equal(request.headers?.['content-type'], 'application/x-www-form-urlencoded');
    const [name, token = ''] = String(request.body).split('=');
    assert.equal(name, 'logout_token');
    const { kid: _, ...header } = decodeProtectedHeader(token);
    assert.deepEqual(header, { alg: 'EdDSA', typ: 'logout+jwt' });
    const { jti, ...claims } = decodeJwt(token);
    const iat = Math.floor(clock.now() / 1000);
    assert.deepEqual(claims, {
      iss: 'https://id.example',
      aud: 'web-app',
      sub: 'the-sub',
      sid: 'the-sid',
      iat,
      exp: iat + 120,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
    assert.match(String(jti), /^[0-9a-f-]{36}$/);
  });

  it('is signed with the algorithm of the ID tokens of the client', async () => {
    const { deps, delivery, requests } = await due(200, { idTokenSignedResponseAlg: 'ES256' });
    await deliverLogout(delivery, deps);
    const [, token = ''] = String(requests[0]?.[1].body).split('=');
    assert.equal(decodeProtectedHeader(token).alg, 'ES256');
  });
});

describe('an attempt to deliver a logout token', () => {
  for (const status of [200, 204]) {
    it(`succeeds with ${status}, and the body of the answer is closed unread`, async () => {
      const { deps, delivery, stored, isClosed } = await due(status);
      assert.deepEqual(await deliverLogout(delivery, deps), { outcome: 'delivered' });
      assert.equal(await stored(), undefined);
      assert.ok(isClosed());
    });
  }

  for (const status of [201, 302, 401, 404, 408, 429, 500, 503]) {
    it(`is repeated after ${status}`, async () => {
      const { deps, delivery, stored, clock } = await due(status);
      assert.equal((await deliverLogout(delivery, deps)).outcome, 'retried');
      const { attempts, nextAttempt = 0, failure } = (await stored()) ?? assert.fail();
      assert.equal(attempts, 1);
      assert.equal(failure, `the client answered ${status}; expected 200 or 204`);
      const wait = nextAttempt - clock.now();
      assert.ok(wait >= 10_000 && wait <= 12_000, String(wait));
    });
  }

  it('is the last one after 400, with which the client rejects the token', async () => {
    const { deps, delivery, stored } = await due(400);
    assert.equal((await deliverLogout(delivery, deps)).outcome, 'failed');
    assert.equal((await stored())?.nextAttempt, undefined);
  });

  it('is repeated after an error of the request, whose sentence is kept', async () => {
    const error = Object.assign(new Error('app.example did not answer within 5 s'), { kind: 'timeout' });
    const { deps, delivery, stored } = await due(error);
    assert.equal((await deliverLogout(delivery, deps)).outcome, 'retried');
    assert.equal((await stored())?.failure, error.message);
    const long = await due(Object.assign(new Error('x'.repeat(1000)), { kind: 'timeout' }));
    await deliverLogout(long.delivery, long.deps);
    assert.equal((await long.stored())?.failure?.length, 300);
  });

  it('keeps nothing of an error that can have a secret', async () => {
    const { deps, delivery, stored } = await due(new Error('logout_token=eyJ'));
    const reason = 'the logout token could not be signed or sent';
    assert.deepEqual(await deliverLogout(delivery, deps), { outcome: 'retried', reason });
    assert.equal((await stored())?.failure, reason);
  });

  it('tells the operator what it found in the own network, and the record owner only that it was refused', async () => {
    for (const kind of ['private-address', 'unresolved-host']) {
      const error = Object.assign(new Error('app.example is 10.1.2.3'), { kind });
      const { deps, delivery, stored } = await due(error);
      assert.equal((await deliverLogout(delivery, deps)).reason, error.message);
      assert.match((await stored())?.failure ?? '', /^the client has a host without a public address/);
    }
  });

  it('is claimed for half a minute, and repeated after a wait that differs from others', async () => {
    const { clock, deps, delivery, store, stored } = await due(503);
    const claims: number[] = [];
    const { claim } = store.logoutDeliveries;
    const logoutDeliveries: typeof store.logoutDeliveries = {
      ...store.logoutDeliveries,
      async claim(claimed, until) {
        claims.push(until - clock.now());
        return claim(claimed, until);
      },
    };
    const random = { fill: (bytes: Uint8Array) => void bytes.fill(255) };
    await deliverLogout(delivery, { ...deps, logoutDeliveries, random });
    assert.deepEqual(claims, [30_000]);
    assert.equal((await stored())?.nextAttempt, clock.now() + 12_000);
  });

  it('is repeated while the server does not sign with the algorithm of the client', async () => {
    const { deps, delivery, stored, requests } = await due(200, { idTokenSignedResponseAlg: 'PS256' });
    assert.equal((await deliverLogout(delivery, deps)).outcome, 'retried');
    assert.match((await stored())?.failure ?? '', /does not sign with PS256/);
    assert.deepEqual(requests, []);
  });

  it('is the last one after the twelfth failure', async () => {
    const { deps, delivery, stored } = await due(503);
    const { attempts: _, ...rest } = delivery;
    const last = { ...rest, attempts: maxLogoutAttempts - 1 };
    assert.equal((await deliverLogout(last, deps)).outcome, 'failed');
    assert.equal((await stored())?.nextAttempt, undefined);
  });

  it('is made by one of two processes', async () => {
    const { deps, delivery, requests } = await due(200);
    const outcomes = await Promise.all([deliverLogout(delivery, deps), deliverLogout(delivery, deps)]);
    assert.deepEqual(outcomes.map(({ outcome }) => outcome).toSorted(), ['delivered', 'taken']);
    assert.equal(requests.length, 1);
  });

  it('is not made for a client without a back-channel logout URI', async () => {
    const { deps, delivery, stored, requests } = await due(200, { backchannelLogoutUri: '' });
    assert.deepEqual(await deliverLogout(delivery, deps), { outcome: 'dropped' });
    assert.equal(await stored(), undefined);
    assert.deepEqual(requests, []);
    const gone = await due(200);
    await gone.store.clients.delete(gone.delivery.clientRecordId);
    assert.deepEqual(await deliverLogout(gone.delivery, gone.deps), { outcome: 'dropped' });
  });
});

describe('the wait before another attempt', () => {
  it('is three times as long after each failure, up to six hours, with up to a fifth more', () => {
    const seconds = Array.from({ length: 9 }, (_, index) => waitAfter(index + 1, 0) / 1000);
    assert.deepEqual(seconds, [10, 30, 90, 270, 810, 2430, 7290, 21_600, 21_600]);
    assert.equal(waitAfter(1, 1), 12_000);
    const all = Array.from({ length: maxLogoutAttempts - 1 }, (_, index) => waitAfter(index + 1, 0));
    const hours = all.reduce((sum, wait) => sum + wait, 0) / 3_600_000;
    assert.ok(hours > 20 && hours < 30, String(hours));
  });
});
