import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildClient,
  buildResourceServer,
  clientRequest,
  FakeClock,
  grantFactory,
  machineSecret,
  protocolDependencies,
  protocolError,
  seededRandom,
} from '@watchword/testkit';
import { type RevocationsRequest, revocationsEndpoint } from '../../src/endpoints/revocations.ts';
import type { TokenSigner } from '../../src/ports/crypto/token-signer.ts';
import type { RevocationStore } from '../../src/ports/stores/grants/revocation-store.ts';
import { timeOrderedId } from '../../src/rules/time-ordered-id.ts';
import { RecentRevocations, recentTime } from '../../src/tokens/revocations/recent-revocations.ts';
import type { RevokedKey } from '../../src/tokens/revocations/revocation-list.ts';
import { WholeLists } from '../../src/tokens/revocations/whole-lists.ts';
import { WholeRevocations } from '../../src/tokens/revocations/whole-revocations.ts';

const make = grantFactory();
const none = { grants: {}, clients: {}, tokens: {}, keys: {} };

type ListTokens = RevocationStore['listTokens'];

/** The endpoint, whose waits end at once after `during` has run. */
function start({
  algorithms,
  listTokens,
  most,
}: {
  algorithms?: TokenSigner['algorithms'];
  listTokens?: ListTokens;
  most?: number;
} = {}) {
  const deps = protocolDependencies();
  const by: string[] = [];
  const { clock, issuer, store } = deps;
  const counts = { signed: 0, read: 0, freed: 0 };
  const signer: TokenSigner = {
    ...deps.signer,
    algorithms: algorithms ?? deps.signer.algorithms,
    async sign(claims, options) {
      by.push(options.algorithm);
      counts.signed += 1;
      await test.onSign();
      return deps.signer.sign(claims, options);
    },
  };
  const revocations: RevocationStore = {
    ...store.revocations,
    listTokens(page) {
      if (clock.now() - page.from > 3_600_000) counts.read += 1;
      return (listTokens ?? store.revocations.listTokens)(page);
    },
  };
  const resourceServer = store.putResourceServer(buildResourceServer({ accessTokenFormat: 'jwt' }));
  const recent = new RecentRevocations(revocations, clock, most);
  const test = { during: async () => {}, isOver: () => false, deadline: 0, onSign: async () => {} };
  const keys: RevokedKey[] = [];
  const whole = new WholeRevocations(revocations, recent, { registry: store.registry, clock });
  const { forgetOld } = whole;
  whole.forgetOld = () => {
    counts.freed += 1;
    forgetOld.call(whole);
  };
  const endpoint = revocationsEndpoint({
    ...deps,
    recent,
    signer,
    whole,
    waits: {
      async forChange(_server, isOver, deadline) {
        Object.assign(test, { isOver, deadline });
        await test.during();
        return false;
      },
    },
    issuer,
    revokedKeys: () => keys,
    monotonic: () => clock.now(),
  });
  const ask = async (request: Partial<RevocationsRequest> = {}) => {
    const head = clientRequest({}, 'test-api:resource-server-secret');
    const { cursor, list } = await endpoint(head, { since: undefined, wait: 0, isSigned: false, ...request });
    if (list === undefined) return { cursor, claims: undefined, list };
    const options = { type: 'revocations+jwt', keys: 'published' } as const;
    const text = Buffer.from(list as string).toString();
    return { cursor, claims: await signer.verify(text, options), list };
  };
  const revoke = async (revokedAt = clock.now(), parts: Parameters<typeof make.grant>[0] = {}) => {
    const grant = make.grant(parts);
    await store.authorizationCodes.insert(make.code(grant), grant);
    await store.grants.revoke(grant.id, revokedAt);
    return grant.id;
  };
  return Object.assign(test, { ask, by, clock, counts, keys, recent, resourceServer, revoke, store });
}

type Test = ReturnType<typeof start>;

const idsOf = (claims: Readonly<Record<string, unknown>> | undefined) =>
  Object.keys(Object(Object(claims?.revoked).grants));

describe('a list of the revocation feed', () => {
  it('is signed by a quick algorithm of the server, or by its only one', async () => {
    for (const [algorithms, expected] of [
      [['RS256', 'EdDSA'], 'EdDSA'],
      [['PS256', 'RS256', 'ES256'], 'ES256'],
      [['RS256'], 'RS256'],
    ] as const) {
      const { ask, by } = start({ algorithms });
      await ask().catch(() => {});
      assert.deepEqual(by, [expected]);
    }
  });
});

describe('an answer of the revocation feed that nothing has changed', () => {
  it('is signed for those who ask for that: with the cursor that was sent, another one and the time', async () => {
    const { ask, clock, revoke } = start();
    await revoke();
    const { cursor } = await ask();
    clock.advance(1000);
    const { cursor: next, claims } = await ask({ since: cursor, isSigned: true });
    assert.deepEqual(claims, {
      iss: 'https://as.example',
      aud: 'test-api',
      iat: Math.floor(clock.now() / 1000),
      cursor: next,
      since: cursor,
      revoked: none,
    });
    assert.notEqual(next, cursor);
  });

  it('has no signature for others, whose cursor stays for two minutes', async () => {
    const { ask, clock } = start();
    const { cursor } = await ask();
    clock.advance(119_999);
    assert.deepEqual(await ask({ since: cursor }), { cursor, claims: undefined, list: undefined });
    clock.advance(1);
    const { cursor: next, claims } = await ask({ since: cursor });
    assert.notEqual(next, cursor);
    assert.deepEqual(claims?.revoked, none);
  });

  it('has a cursor from which each later revocation follows, also one that was committed late', async () => {
    const { ask, clock, revoke } = start();
    await revoke();
    const first = await ask();
    clock.advance(20_000);
    const { cursor: since } = await ask({ since: first.cursor, isSigned: true });
    const late = await revoke(clock.now() - 9000);
    const { cursor, claims } = await ask({ since, isSigned: true });
    assert.ok(idsOf(claims).includes(late));
    clock.advance(1000);
    assert.deepEqual((await ask({ since: cursor, isSigned: true })).claims?.revoked, none);
  });

  it('has the time of what it knows, however long it waited since', async () => {
    const test = start();
    const { cursor } = await test.ask();
    const read = Math.floor(test.clock.now() / 1000);
    test.during = async () => test.clock.advance(10_000);
    assert.equal((await test.ask({ since: cursor, isSigned: true })).claims?.iat, read);
  });

  it('is not given when a wait ends without a report of what was revoked meanwhile', async () => {
    for (const isSigned of [true, false]) {
      const test = start();
      const { cursor } = await test.ask();
      let id = '';
      test.during = async () => {
        id = await test.revoke();
        await test.recent.refresh();
      };
      assert.deepEqual(idsOf((await test.ask({ since: cursor, isSigned })).claims), [id]);
    }
  });

  it('is not given to a resource server that lost its secret, its record or its JWTs while the request waited', async () => {
    for (const [change, kind] of [
      [{ secret: machineSecret('another') }, 'invalid_client'],
      [undefined, 'invalid_client'],
      [{ accessTokenFormat: 'opaque' }, 'not_found'],
    ] as const) {
      for (const isSigned of [true, false]) {
        const test = start();
        const { cursor } = await test.ask();
        test.during = async () => {
          if (change === undefined) await test.store.resourceServers.delete(test.resourceServer.id);
          else test.store.putResourceServer({ ...test.resourceServer, ...change });
        };
        await assert.rejects(test.ask({ since: cursor, isSigned }), protocolError(kind));
      }
    }
  });
});

describe('a request that waits for revocations', () => {
  it('goes on for a change of them, of the keys, and of what its resource server may know', async () => {
    for (const [change, isOver] of [
      [async () => {}, false],
      [({ revoke, recent }: Test) => revoke().then(() => recent.refresh()), true],
      [async ({ keys }: Test) => void keys.push({ kid: 'compromised', until: 1 }), true],
      [
        async ({ store, resourceServer }: Test) =>
          void store.putResourceServer({ ...resourceServer, name: 'New' }),
        false,
      ],
      [
        async ({ store, resourceServer }: Test) =>
          void store.putResourceServer({ ...resourceServer, accessTokenFormat: 'opaque' }),
        true,
      ],
      [
        async ({ store, resourceServer }: Test) =>
          void store.putResourceServer({ ...resourceServer, secret: machineSecret('another') }),
        true,
      ],
      [
        async ({ store, resourceServer }: Test) =>
          void (await store.resourceServers.delete(resourceServer.id)),
        true,
      ],
    ] as const) {
      const test = start();
      const { cursor } = await test.ask();
      let hasEnded = test.isOver();
      test.during = async () => {
        assert.ok(!test.isOver());
        await change(test);
        hasEnded = test.isOver();
      };
      await test.ask({ since: cursor }).catch((error) => assert.ok(error instanceof Error));
      assert.equal(hasEnded, isOver, String(change));
    }
  });

  it('waits as long as it asks to', async () => {
    const test = start();
    const { cursor } = await test.ask();
    await test.ask({ since: cursor, wait: 7000 });
    assert.equal(test.deadline, test.clock.now() + 7000);
  });

  it('frees the memory of lists that nobody has asked for lately', async (t) => {
    const { ask, counts } = start();
    const { cursor } = await ask();
    const { freed } = counts;
    const forgetOld = t.mock.method(WholeLists.prototype, 'forgetOld');
    await ask({ since: cursor });
    assert.deepEqual([counts.freed, forgetOld.mock.callCount()], [freed + 1, 1]);
  });

  it('shares the signed changes with others that have its list, and those of a hundred lists are kept', async () => {
    const { ask, clock, counts, revoke } = start();
    const { cursor } = await ask();
    await revoke();
    const digest = cursor.split('.')[1];
    const since = (age: number) => `${(clock.now() - age).toString(36)}.${digest}`;
    const signed = async (age: number) => {
      const before = counts.signed;
      const { claims } = await ask({ since: since(age) });
      assert.equal(claims?.since, since(age));
      return counts.signed - before;
    };
    assert.deepEqual([await signed(1), await signed(1)], [1, 0]);
    for (let age = 2; age <= 100; age += 1) await signed(age);
    assert.equal(await signed(1), 0);
    await signed(101);
    assert.equal(await signed(1), 1);
  });

  it('shares no signed changes of more than 100,000 characters, and none whose signature failed', async () => {
    for (const [count, signatures] of [
      [60, 1],
      [90, 2],
    ] as const) {
      const test = start();
      const { ask, clock, counts, store } = test;
      const { cursor } = await ask();
      const [revokedAt, expires] = [clock.now(), clock.now() + 60_000];
      for (let index = 0; index < count; index += 1) {
        const id = `${index} ${'x'.repeat(1000)}`;
        await store.revocations.revokeToken({ id, clientRecordId: 1, expires, revokedAt });
      }
      test.onSign = async () => {
        throw new Error('no key can sign');
      };
      await assert.rejects(ask({ since: cursor }), /no key can sign/);
      test.onSign = async () => {};
      counts.signed = 0;
      const lists = [await ask({ since: cursor }), await ask({ since: cursor })];
      assert.equal(counts.signed, signatures);
      for (const { claims } of lists) assert.equal(claims?.since, cursor);
    }
  });
});

describe('the whole list of revocations', () => {
  it('has what the database has while the recent revocations are not in memory', async () => {
    const { clock, recent, revoke, store } = start();
    const whole = new WholeRevocations(store.revocations, recent, { registry: store.registry, clock });
    const id = await revoke();
    const listed = JSON.parse(Buffer.from(await whole.claims(1, { iss: 'x' }, [])).toString());
    assert.deepEqual([listed.iss, Object.keys(listed.revoked.grants)], ['x', [id]]);
  });

  it('is read at each request while the recent ones begin after it, and kept from the first read that they reach', async () => {
    const { clock, revoke, store } = start();
    const reads = { count: 0 };
    const revocations: RevocationStore = {
      ...store.revocations,
      listClients(from) {
        reads.count += 1;
        return store.revocations.listClients(from);
      },
    };
    // As after too many revocations: those in memory begin 59 seconds ago, so the read of a list reaches them in a second.
    const begin = clock.now() - 59_000;
    const recent = new RecentRevocations(store.revocations, { now: () => begin + recentTime });
    await recent.refresh();
    const whole = new WholeRevocations(revocations, recent, { registry: store.registry, clock });
    const listed = async () =>
      Object.keys(JSON.parse(Buffer.from(await whole.claims(1, { iss: 'x' }, [])).toString()).revoked.grants);
    const ids = [];
    for (let request = 0; request < 2; request += 1) {
      ids.push(await revoke());
      assert.deepEqual(await listed(), ids);
    }
    clock.advance(1000);
    reads.count = 0;
    for (let request = 0; request < 3; request += 1) await listed();
    assert.equal(reads.count, 1);
  });

  it('is read again after half a minute, and a read that fails later than that spoils no newer one', async () => {
    const { clock, recent, store } = start();
    await recent.refresh();
    const failure = Promise.withResolvers<never>();
    let reads = 0;
    const revocations: RevocationStore = {
      ...store.revocations,
      async listClients(from) {
        reads += 1;
        return reads === 1 ? failure.promise : store.revocations.listClients(from);
      },
    };
    const whole = new WholeRevocations(revocations, recent, { registry: store.registry, clock });
    const read = () => whole.claims(1, { iss: 'x' }, []);
    const first = assert.rejects(read(), /does not answer/);
    clock.advance(30_000);
    await recent.refresh();
    await read();
    failure.reject(new Error('the database does not answer'));
    await first;
    await read();
    assert.equal(reads, 2);
    clock.advance(30_000);
    await recent.refresh();
    await read();
    assert.equal(reads, 3);
  });

  it('is the answer to a cursor that is ahead of what this node has read, or older than what it keeps', async () => {
    const { ask, clock } = start();
    const { cursor } = await ask();
    const of = (time: number) => `${time.toString(36)}.${cursor.split('.')[1]}`;
    assert.equal(
      (await ask({ since: of(clock.now() + 2000), isSigned: true })).claims?.since,
      of(clock.now() + 2000),
    );
    for (const time of [clock.now() + 2001, clock.now() - 270_001]) {
      const { claims } = await ask({ since: of(time) });
      assert.notEqual(claims, undefined);
      assert.equal(claims?.since, undefined);
    }
  });

  it('is given also while the last minute has more revocations than are kept in memory', async () => {
    const revokedAt = new FakeClock().now() - 1;
    const many = Array.from({ length: 2001 }, (_, index) => ({
      id: String(index),
      clientRecordId: 99,
      expires: 0,
      revokedAt,
    }));
    const { ask, revoke } = start({
      most: 2000,
      async listTokens({ after, limit }) {
        const begin = after === undefined ? 0 : Number(after.id) + 1;
        return many.slice(begin, begin + limit);
      },
    });
    const id = await revoke();
    assert.deepEqual(idsOf((await ask()).claims), [id]);
  });

  it('is not made for a resource server that is gone when its turn comes', async () => {
    const test = start();
    const [signing, signed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    test.onSign = () => {
      signing.resolve();
      return signed.promise;
    };
    const first = test.ask();
    await signing.promise;
    const second = assert.rejects(test.ask(), protocolError('invalid_client'));
    // Everything but the signature comes from memory, so it waits for its turn by then.
    await new Promise((resolve) => setImmediate(resolve));
    await test.store.resourceServers.delete(test.resourceServer.id);
    test.clock.advance(2000);
    signed.resolve();
    await first;
    await second;
  });

  it('is signed at most twice for any number of callers at the same time, who get the same bytes', async () => {
    const { ask, clock, counts, revoke } = start();
    await revoke(clock.now() - 120_000);
    const asked: ReturnType<typeof ask>[] = [];
    for (let caller = 0; caller < 40; caller += 1) {
      asked.push(ask());
      await Promise.resolve();
    }
    const lists = new Set((await Promise.all(asked)).map(({ list }) => list));
    assert.ok(counts.signed <= 2 && lists.size <= 2, `${counts.signed} signatures`);
    assert.equal(counts.read, 1);
  });

  it('is sent again for two seconds while nothing has changed, and read again after half a minute', async () => {
    const { ask, clock, counts, revoke } = start();
    const { list } = await ask();
    clock.advance(1999);
    assert.equal((await ask()).list, list);
    const id = await revoke();
    const changed = await ask();
    assert.deepEqual(idsOf(changed.claims), [id]);
    clock.advance(2000);
    const next = await ask();
    assert.notEqual(next.list, changed.list);
    assert.deepEqual([counts.signed, counts.read], [3, 1]);
    clock.advance(30_000);
    await ask();
    assert.deepEqual([counts.signed, counts.read], [4, 2]);
  });

  it('has each entry once, over all pages and with those of the last minute', async () => {
    const { ask, clock, revoke, store } = start();
    const ids: string[] = [];
    for (let index = 0; index < 2100; index += 1) ids.push(await revoke(clock.now() - 40 * (2100 - index)));
    const tokens: string[] = [];
    for (const age of [90_000, 30_000]) {
      const revokedAt = clock.now() - age;
      const id = timeOrderedId(revokedAt, seededRandom('tokens'));
      await store.revocations.revokeToken({
        id,
        clientRecordId: 1,
        expires: clock.now() + 60_000,
        revokedAt,
      });
      tokens.push(id);
    }
    for (const seconds of [0, 10]) {
      clock.advance(seconds * 1000);
      ids.push(await revoke());
      const { claims, list } = await ask();
      assert.deepEqual(idsOf(claims).toSorted(), ids.toSorted());
      const [, payload = ''] = Buffer.from(list as string)
        .toString()
        .split('.');
      const names = Buffer.from(payload, 'base64url')
        .toString()
        .match(/"[0-9a-f-]{36}":/g);
      assert.equal(names?.length, ids.length + tokens.length);
      assert.deepEqual(Object.keys(Object(Object(claims?.revoked).tokens)).toSorted(), tokens.toSorted());
    }
  });

  it('has what was revoked within the longest lifetime of a JWT and the margin', async () => {
    const { ask, clock, revoke } = start();
    const oldest = await revoke(clock.now() - 86_400_000 - 300_000);
    await revoke(clock.now() - 86_400_000 - 300_001);
    assert.deepEqual(idsOf((await ask()).claims), [oldest]);
  });

  it('is read again after a read that failed', async () => {
    const { clock, recent, store } = start();
    await recent.refresh();
    const failing = { isDown: true };
    const revocations: RevocationStore = {
      ...store.revocations,
      async listClients(from) {
        if (failing.isDown) throw new Error('the database does not answer');
        return store.revocations.listClients(from);
      },
    };
    const whole = new WholeRevocations(revocations, recent, { registry: store.registry, clock });
    await assert.rejects(whole.claims(1, { iss: 'x' }, []), /does not answer/);
    failing.isDown = false;
    assert.deepEqual(
      JSON.parse(Buffer.from(await whole.claims(1, { iss: 'x' }, [])).toString()).revoked,
      none,
    );
  });

  it('has each of many recent entries once, and other work has its turn between its parts', async () => {
    const { clock, recent, store } = start();
    const [revokedAt, expires] = [clock.now(), clock.now() + 60_000];
    for (let index = 0; index < 2001; index += 1) {
      await store.revocations.revokeToken({ id: `token ${index}`, clientRecordId: 1, expires, revokedAt });
    }
    await recent.refresh();
    const whole = new WholeRevocations(store.revocations, recent, { registry: store.registry, clock });
    const other = { isDone: false };
    setImmediate(() => {
      other.isDone = true;
    });
    const text = Buffer.from(await whole.claims(1, { iss: 'x' }, [])).toString();
    assert.equal(text.match(/"token \d+":/g)?.length, 2001);
    assert.ok(other.isDone);
  });

  it('is the answer in place of more than five thousand changes', async () => {
    const { ask, clock, store } = start();
    const { cursor } = await ask();
    clock.advance(1000);
    const [revokedAt, expires] = [clock.now(), clock.now() + 60_000];
    const revoke = (id: string) =>
      store.revocations.revokeToken({ id, clientRecordId: 1, expires, revokedAt });
    for (let index = 0; index < 5000; index += 1) await revoke(String(index));
    assert.equal((await ask({ since: cursor })).claims?.since, cursor);
    store.putClient(buildClient({ tokensValidFrom: clock.now() }));
    const { claims, cursor: next } = await ask({ since: cursor });
    assert.equal(claims?.since, undefined);
    assert.equal(Object.keys(Object(Object(claims?.revoked).tokens)).length, 5000);
    assert.equal(Object.keys(Object(Object(claims?.revoked).clients)).length, 1);
    assert.equal((await ask({ since: next, isSigned: false })).list, undefined);
  });

  it('does not stay in memory when nobody gets it any more', async () => {
    let made = 0;
    const clock = new FakeClock();
    const lists = new WholeLists(
      async () => {
        made += 1;
        return { cursor: { time: clock.now(), digest: '' }, list: Buffer.alloc(1) };
      },
      () => true,
      clock,
    );
    const list = await lists.of(1);
    lists.forgetOld();
    assert.equal(await lists.of(1), list);
    clock.advance(2000);
    lists.forgetOld();
    clock.advance(-2000);
    assert.notEqual(await lists.of(1), list);
    assert.equal(made, 2);
  });

  it('has one entry for all grants that ended before the tokens of their client were revoked, and each later one', async () => {
    const { ask, clock, revoke, store } = start();
    // Those of the last minute are in the list anyway.
    const now = clock.now() - 120_000;
    store.putClient(buildClient({ tokensValidFrom: now - 2000 }));
    await revoke(now - 2500, { creationDate: now - 3000 });
    await revoke(now - 2000, { creationDate: now - 2000 });
    const later = [
      await revoke(now - 1999, { creationDate: now - 3000 }),
      await revoke(now - 1000, { creationDate: now - 1500 }),
    ];
    // A grant of the future, because the clock of its node was wrong.
    later.push(await revoke(now - 2500, { creationDate: now - 1500 }));
    const { claims } = await ask();
    assert.deepEqual(idsOf(claims).toSorted(), later.toSorted());
    assert.deepEqual(Object(claims?.revoked).clients, { 'test-client': Math.floor((now - 2000) / 1000) });
  });
});
