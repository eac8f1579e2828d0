import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  type Administering,
  type AdministrationServer,
  startAdministration,
} from '@watchword/server-testkit/servers/administration';
import { signingNode } from '@watchword/server-testkit/servers/signing-node';
import { storedBytes } from '@watchword/server-testkit/servers/sql';
import type { Signing } from '../../src/signing/signing.ts';
import { isAccepted, kidOf, kids, sign } from '../support/signatures.ts';

const path = '/admin/signingKey';

interface Key {
  readonly kid: string;
  readonly state: string;
}

describe('keys below /admin', () => {
  let server: AdministrationServer;
  let signing: Signing;
  let root: Administering;
  before(async () => {
    server = await startAdministration({ 'signing.algorithms': 'ES256' });
    root = await server.administrator();
    signing = await signingNode(server, { 'signing.algorithms': 'ES256' });
  });
  after(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    const { store } = server.service;
    await store.transact(async ({ signingKeys }) => {
      for (const { kid } of await signingKeys.list()) await signingKeys.remove(kid);
    });
    await store.refreshRegistry();
    await signing.make('ES256');
    await store.refreshRegistry();
  });

  const list = async (): Promise<readonly (Key & Record<string, unknown>)[]> => (await root.get(path)).json;
  const states = async () => Object.fromEntries((await list()).map(({ kid, state }) => [kid, state]));
  const current = () => signing.keys.signing('ES256')?.kid ?? '';
  const post = async (action: string, body: object) => {
    const answer = await root.call('POST', `${path}${action}`, body);
    return { status: answer.status, body: answer.json };
  };
  const events = async (kid: string) =>
    (await root.get(`/admin/auditEvent?recordType=signingKey&recordId=${kid}`)).json.map(
      ({ action, actor }: { action: string; actor: string }) => [action, actor],
    );

  it('are listed with their states, times and public halves, and never with a private half', async () => {
    const answer = await root.get(path);
    const [{ publicKey, publicKeyPem, publishedAt, signsFrom, ...rest }] = answer.json;
    assert.deepEqual(rest, {
      kid: current(),
      algorithm: 'ES256',
      state: 'signing',
      retiredAt: null,
      compromisedAt: null,
      publishedUntil: null,
      privateKey: 'database',
      problem: null,
    });
    assert.ok(publishedAt <= signsFrom);
    assert.deepEqual({ keys: [publicKey] }, JSON.parse((await server.get('/oauth2/jwks')).text));
    assert.match(publicKeyPem, /^-----BEGIN PUBLIC KEY-----\n/);
    const [stored] = await server.service.store.signingKeys.list();
    const { sealed = '' } = (stored?.privateKey ?? {}) as { sealed?: string };
    assert.ok(sealed !== '' && !answer.text.includes(sealed) && !/"d"|PRIVATE|sealed/.test(answer.text));
  });

  it('rotate: publish one next key, or let it sign at once, and the audit log names the administrator', async () => {
    const old = current();
    const { status, body } = await post('/rotation', {});
    const [{ kid, state, signsFrom, publishedAt }] = body.keys;
    assert.deepEqual([status, state, signsFrom - publishedAt], [200, 'published', 600_000]);
    assert.equal((await post('/rotation', {})).body.keys[0].kid, kid);
    // This node knows it with the answer.
    assert.deepEqual(await kids(server), [kid, old]);
    assert.equal((await post('/rotation', { algorithm: 'ES256', now: true })).body.keys[0].state, 'signing');
    const listed = await list();
    assert.deepEqual(await states(), { [kid]: 'signing', [old]: 'retiring' });
    const retiring = listed.find((key) => key.kid === old);
    assert.equal(Number(retiring?.publishedUntil) - Number(retiring?.retiredAt), 86_700_000);
    assert.deepEqual(await events(kid), [
      ['update', 'root'],
      ['create', 'root'],
    ]);
  });

  it('rotate once when two administrators ask at the same time', async () => {
    const both = await Promise.all([post('/rotation', {}), post('/rotation', {})]);
    assert.equal(new Set(both.map(({ body }) => body.keys[0].kid)).size, 1);
    assert.equal((await list()).length, 2);
  });

  it('retire: let another key follow the one that signs, whose tokens stay valid, or withdraw the next one', async () => {
    const old = current();
    const text = await sign(signing);
    const { key, next, remaining } = (await post('/retirement', { kid: old })).body;
    assert.deepEqual([key.state, next.state, remaining], ['signing', 'published', null]);
    await post('/rotation', { now: true });
    await server.service.store.refreshRegistry();
    assert.ok(await isAccepted(signing, text));
    const again = await post('/retirement', { kid: old });
    assert.equal(again.status, 400);
    assert.match(again.body.error_description, /does not sign any more: it is retiring/);
    const waiting = (await post('/rotation', {})).body.keys[0].kid;
    assert.equal((await post('/retirement', { kid: waiting })).body.key.state, 'retiring');
    assert.equal((await post('/retirement', { kid: 'unknown' })).status, 404);
  });

  it('end a compromised key at once: it leaves the JWKS, its tokens are refused and its private half is erased', async () => {
    const kid = current();
    const text = await sign(signing);
    const { status, body } = await post('/retirement', { kid, compromised: true });
    assert.deepEqual(
      [status, body.key.state, body.key.privateKey, body.next],
      [200, 'compromised', 'erased', null],
    );
    assert.ok(!(await kids(server)).includes(kid));
    await server.service.store.refreshRegistry();
    for (const keys of ['published', 'everSigned'] as const)
      assert.ok(!(await isAccepted(signing, text, keys)));
    assert.notEqual(kidOf(await sign(signing)), kid);
    assert.deepEqual(await events(kid), [['update', 'root']]);
  });

  it('need attention when one that signs cannot be used here, or when none follows one in time', async () => {
    const { store } = server.service;
    assert.deepEqual(signing.problems(), []);
    const [key] = await store.signingKeys.list();
    assert.ok(key !== undefined);
    await store.transact(({ signingKeys }) =>
      signingKeys.update({ ...key, privateKey: { sealed: 'x' }, signsFrom: 1 }),
    );
    await store.refreshRegistry();
    const [unusable, overdue] = signing.problems();
    assert.match(
      unusable ?? '',
      new RegExp(`^The key ${key.kid} \\(ES256\\) cannot sign: it is sealed with another`),
    );
    assert.equal(overdue, 'The key for ES256 is older than signing.rotationInterval, and none follows it.');
  });

  it('import a key that another program made, and name the field of one that cannot be used', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    const imported = await post('', { privateKey: pem, kid: 'a/b=', now: true });
    assert.deepEqual(
      [imported.status, imported.body.kid, imported.body.state, imported.body.privateKey],
      [201, 'a/b=', 'signing', 'database'],
    );
    await server.service.store.refreshRegistry();
    assert.equal(kidOf(await sign(signing)), 'a/b=');
    assert.equal((await post('/retirement', { kid: 'a/b=', compromised: true })).status, 200);
    const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
    const small = rsa.export({ format: 'pem', type: 'pkcs8' }).toString();
    for (const [body, words] of [
      [{ privateKey: small }, /^privateKey: expected an RSA key of 2048 bits or more, got 1024$/],
      [
        { privateKey: 'x' },
        /^privateKey: expected a private key in PEM or as a JSON Web Key, got another text$/,
      ],
      [
        { privateKey: pem, algorithm: 'RS256' },
        /^privateKey: the key can be used with ES256, and not with RS256$/,
      ],
      [{ privateKey: pem, kid: 'a b' }, /^kid: expected 1 to 128 printable ASCII/],
      [{ kmsKey: 'alias/x' }, /^algorithm: expected RS256 or/],
    ] as const) {
      const refused = await post('', body);
      assert.equal(refused.status, 400);
      assert.match(refused.body.violations[0], words);
      assert.ok(!JSON.stringify(refused.body).includes('BEGIN'));
    }
    assert.match((await post('', {})).body.error_description, /either privateKey or kmsKey/);
    assert.match(
      (await post('', { privateKey: pem, kid: 'other' })).body.error_description,
      /This key is the signing key a\/b= for ES256 already/,
    );
    assert.ok(!(await storedBytes(server.database)).includes(Buffer.from(pem.split('\n')[1] ?? '')));
  });

  it('that seal forms are listed without themselves, and are replaced', async () => {
    const [before] = (await root.get('/admin/sealingKey')).json;
    assert.deepEqual(Object.keys(before), ['id', 'creationDate']);
    assert.equal((await root.call('POST', '/admin/sealingKey/renewal')).status, 204);
    const now = (await root.get('/admin/sealingKey')).json;
    assert.equal(now.length, 1);
    assert.notEqual(now[0].id, before.id);
    const [event] = (await root.get('/admin/auditEvent?recordType=database')).json;
    assert.deepEqual([event.action, event.recordName, event.actor], ['rotateSecret', 'keys', 'root']);
  });

  it('are replaced also where this node cannot read the change at once', async (t) => {
    const { store } = server.service;
    const refresh = store.refreshRegistry;
    const [before] = await store.sealingKeys.list();
    let hasFailed = false;
    t.mock.method(store, 'refreshRegistry', async () => {
      const [now] = await store.sealingKeys.list();
      hasFailed = now?.id !== before?.id;
      if (hasFailed) throw new Error('the database does not answer');
      return refresh();
    });
    assert.equal((await root.call('POST', '/admin/sealingKey/renewal')).status, 204);
    assert.ok(hasFailed);
  });

  it('are refused to everyone but administrators, and change nothing', async () => {
    const before = await list();
    for (const caller of [await server.person('emma'), await server.actingClient('Job')]) {
      for (const [method, of, body] of [
        ['GET', path],
        ['POST', path, { privateKey: 'x' }],
        ['POST', `${path}/rotation`, {}],
        ['POST', `${path}/retirement`, { kid: current(), compromised: true }],
        ['GET', '/admin/sealingKey'],
        ['POST', '/admin/sealingKey/renewal'],
      ] as const) {
        const { status, json } = await caller.call(method, of, body);
        assert.deepEqual([status, json.error], [403, 'access_denied'], `${method} ${of}`);
      }
    }
    const reader = await server.person('root', { adminPrincipal: true }, 'read');
    assert.equal((await reader.call('POST', `${path}/rotation`, {})).json.error, 'insufficient_scope');
    assert.deepEqual(await list(), before);
  });
});
