import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { longestJwtLifetime, publicationLead, type SigningKey, signingAlgorithms } from '@watchword/protocol';
import { parseExposition } from '@watchword/server-testkit/neighbours/exposition';
import { startServer } from '@watchword/server-testkit/servers/server';
import { everyAlgorithm, signingNode } from '@watchword/server-testkit/servers/signing-node';
import { storedBytes } from '@watchword/server-testkit/servers/sql';
import { buildSigningKey, FakeClock } from '@watchword/testkit';
import { settings } from '../../src/config/settings.ts';
import { SigningKeys } from '../../src/signing/signing-keys.ts';
import { isAccepted, kidOf, kids, sign } from '../support/signatures.ts';
import { signingParts } from '../support/signing-parts.ts';

const day = 86_400_000;
describe('GET /oauth2/jwks', () => {
  it('answers every origin with the public halves of a key for each algorithm, cached for five minutes', async () => {
    await using server = await startServer({
      'signing.algorithms': everyAlgorithm,
      baseUrl: 'http://localhost:8080/id',
    });
    const answer = await server.get('/oauth2/jwks', { origin: 'https://app.example' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/jwk-set+json');
    assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
    assert.equal(answer.headers.get('access-control-allow-origin'), '*');
    const { keys } = JSON.parse(answer.text);
    const members = { RS256: 'e,n', PS256: 'e,n', ES256: 'crv,x,y', EdDSA: 'crv,x' };
    for (const [alg, own] of Object.entries(members)) {
      const key = keys.find((each: { alg: string }) => each.alg === alg);
      assert.deepEqual(Object.keys(key).sort().join(), `alg,${own},kid,kty,use`.split(',').sort().join());
      assert.deepEqual(
        [key.use, key.kty],
        ['sig', { R: 'RSA', P: 'RSA', E: 'EC' }[alg === 'EdDSA' ? '' : (alg[0] ?? '')] ?? 'OKP'],
      );
      assert.match(key.kid, /^[0-9a-f]{16}$/);
    }
    assert.equal(keys.length, 4);
    assert.equal(new Set(keys.map(({ n, x }: Record<string, string>) => n ?? x)).size, 4);
    const metadata = await fetch(`http://127.0.0.1:${server.port}/.well-known/oauth-authorization-server/id`);
    assert.equal((await metadata.json()).jwks_uri, 'http://localhost:8080/id/oauth2/jwks');
  });

  it('answers with the same key when many callers ask for the first time at once', async () => {
    await using server = await startServer({ 'signing.algorithms': 'EdDSA' });
    const sets = await Promise.all(Array.from({ length: 20 }, () => kids(server)));
    assert.equal(new Set(sets.flat()).size, 1);
    assert.ok(sets.every(({ length }) => length === 1));
  });

  it('knows the algorithms that can be configured', async () => {
    const { fromText } = settings['signing.algorithms'].kind;
    assert.equal(everyAlgorithm, signingAlgorithms.join());
    assert.ok(fromText !== undefined);
  });
});

describe('signing keys in the database', () => {
  it('cannot be read from it: private halves are sealed', async () => {
    await using server = await startServer({ 'signing.algorithms': everyAlgorithm });
    const signing = await signingNode(server, { 'signing.algorithms': everyAlgorithm });
    await signing.keySet();
    const stored = await storedBytes(server.database);
    for (const { kid, privateKey } of signing.keys.list()) {
      assert.ok(stored.includes(kid), kid);
      assert.ok(privateKey !== undefined && 'sealed' in privateKey);
      assert.match(privateKey.sealed, /^[A-Za-z0-9_-]{100,}$/);
    }
    assert.ok(!stored.includes('PRIVATE KEY'));
    assert.ok(!stored.includes(Buffer.from('PRIVATE KEY').toString('base64url').slice(0, 12)));
    assert.doesNotMatch(server.log(), /PRIVATE KEY|sealed/);
  });

  it('cannot take the private half of each other: it is sealed for its key', async () => {
    const parts = signingParts(new FakeClock());
    const rules = { algorithms: ['ES256', 'RS256'] } as const;
    const node = await parts.node({ rules });
    await node.keySet();
    const [one, other] = await parts.store.signingKeys.list();
    assert.ok(one !== undefined && other !== undefined);
    await parts.store.transact(async ({ signingKeys }) => {
      await signingKeys.update({ ...one, privateKey: other.privateKey });
    });
    await assert.rejects(
      parts.node({ rules }),
      new RegExp(`cannot sign with the key ${one.kid} .*another key`),
    );
  });

  it('are one, when two nodes make it at the same time', async () => {
    const parts = signingParts(new FakeClock());
    const nodes = await Promise.all([parts.node(), parts.node(), parts.node()]);
    const texts = await Promise.all(nodes.map((node) => sign(node)));
    assert.equal(new Set(texts.map(kidOf)).size, 1);
    assert.equal((await parts.store.signingKeys.list()).length, 1);
    for (const node of nodes) for (const text of texts) assert.ok(await isAccepted(node, text));
  });

  it('are those of the read that began last, also if an earlier one ends later', async () => {
    const slow = Promise.withResolvers<SigningKey[]>();
    const answers = [Promise.resolve([]), slow.promise, Promise.resolve([buildSigningKey('new')])];
    const keys = await SigningKeys.open({ list: async () => answers.shift() ?? [] }, new FakeClock());
    const earlier = keys.read();
    await keys.read();
    slow.resolve([buildSigningKey('old')]);
    await earlier;
    assert.deepEqual(
      keys.list().map(({ kid }) => kid),
      ['new'],
    );
  });

  it('are not used with an algorithm that is not configured, and are used again when it is', async () => {
    const parts = signingParts(new FakeClock());
    const both = await parts.node({ rules: { algorithms: ['ES256', 'EdDSA'] } });
    const text = await sign(both, 'EdDSA');
    const one = await parts.node();
    await assert.rejects(sign(one, 'EdDSA'), /does not sign with EdDSA: signing.algorithms has ES256/);
    assert.ok(await isAccepted(one, text));
    assert.equal(kidOf(await sign(both, 'EdDSA')), kidOf(text));
  });

  it('rotate on schedule: the next key is known everywhere before it signs, and no token is refused', async () => {
    const clock = new FakeClock();
    const parts = signingParts(clock);
    const [a, b] = [await parts.node(), await parts.node()];
    const first = kidOf(await sign(a));
    clock.advance(90 * day - publicationLead);
    await a.maintain();
    await b.maintain();
    const published = b.keys.published().map(({ kid }) => kid);
    assert.equal(published.length, 2);
    assert.equal(kidOf(await sign(a)), first);
    clock.advance(publicationLead - 1);
    const last = await sign(b);
    assert.equal(kidOf(last), first);
    clock.advance(1);
    const next = await sign(a);
    assert.notEqual(kidOf(next), first);
    assert.ok(published.includes(kidOf(next)));
    clock.advance(longestJwtLifetime * 1000);
    assert.ok(await isAccepted(b, last));
    clock.advance(300_000);
    assert.ok(!(await isAccepted(b, last)));
    assert.ok(await isAccepted(b, last, 'everSigned'));
    clock.advance(6 * day);
    await a.maintain();
    assert.ok(!(await isAccepted(a, last, 'everSigned')));
    assert.deepEqual(
      (await parts.store.signingKeys.list()).map(({ kid }) => kid),
      [kidOf(next)],
    );
  });

  it('lose the private half when they no longer sign', async () => {
    const clock = new FakeClock();
    const parts = signingParts(clock);
    const node = await parts.node();
    const text = await sign(node);
    clock.advance(90 * day - publicationLead);
    await node.maintain();
    clock.advance(publicationLead + 62_000);
    await node.maintain();
    assert.equal(node.keys.find(kidOf(text))?.privateKey, undefined);
    assert.ok(await isAccepted(node, text));
  });

  it('are counted by the metrics, by algorithm and state', async () => {
    await using server = await startServer();
    const count = async () => {
      const families = parseExposition((await server.get('/metrics')).text);
      const family = families.find(({ name }) => name === 'watchword_signing_keys');
      const samples = family?.samples ?? [];
      return samples.filter(({ value }) => value > 0).map(({ labels, value }) => ({ ...labels, value }));
    };
    assert.deepEqual(await count(), []);
    await kids(server);
    assert.deepEqual(await count(), [{ algorithm: 'RS256', state: 'signing', value: 1 }]);
  });

  it('of an algorithm that is not configured any more are counted only in the states that they have', async () => {
    const node = await signingParts(new FakeClock()).node();
    const [key] = [await sign(node)].map((text) => node.keys.find(kidOf(text)));
    assert.ok(key !== undefined);
    const ofOther = (configured: Parameters<typeof node.keys.counts>[0]) =>
      node.keys.counts(configured).filter(({ algorithm }) => algorithm === key.algorithm);
    assert.deepEqual(ofOther([]), [{ algorithm: key.algorithm, state: 'signing', keys: 1 }]);
    assert.ok(ofOther([key.algorithm]).some(({ keys }) => keys === 0));
  });
});
