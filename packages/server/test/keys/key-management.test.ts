import assert from 'node:assert/strict';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { type KeyManagement, signingAlgorithms } from '@watchword/protocol';
import { temporaryDirectory, until, watchword } from '@watchword/server-testkit/processes/process';
import { startServer } from '@watchword/server-testkit/servers/server';
import { everyAlgorithm, signingNode } from '@watchword/server-testkit/servers/signing-node';
import { storedBytes } from '@watchword/server-testkit/servers/sql';
import { FakeClock } from '@watchword/testkit';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { fileKms } from '../../src/signing/kms/file-kms.ts';
import { signingParts } from '../support/signing-parts.ts';

const claims = { sub: 'emma' };

function kmsFlags(directory: string) {
  return { 'signing.kms': 'file', 'signing.kmsOptions': JSON.stringify({ directory }) };
}

describe('the key management system in files', () => {
  it('signs with every algorithm, and the database never has a private half', async () => {
    await using directory = await temporaryDirectory();
    const folder = directory.file('keys');
    const flags = { 'signing.algorithms': everyAlgorithm, ...kmsFlags(folder) };
    await using server = await startServer(flags);
    const signing = await signingNode(server, flags);
    let published: JSONWebKeySet = { keys: [] };
    // An answer lacks a key that was not made in time.
    await until(async () => {
      published = JSON.parse((await server.get('/oauth2/jwks')).text);
      return published.keys?.length === signingAlgorithms.length;
    });
    const keySet = createLocalJWKSet(published);
    await server.service.store.refreshRegistry();
    for (const algorithm of signingAlgorithms) {
      const text = await signing.signer.sign(claims, { algorithm, type: 'at+jwt' });
      const { payload } = await jwtVerify(text, keySet, { algorithms: [algorithm], typ: 'at+jwt' });
      assert.deepEqual(payload, claims);
      assert.deepEqual(await signing.signer.verify(text, { type: 'at+jwt', keys: 'published' }), claims);
    }
    const kept = (await server.service.store.signingKeys.list()).map(
      ({ privateKey }) => privateKey && 'reference' in privateKey && privateKey.reference,
    );
    assert.equal(kept.length, signingAlgorithms.length);
    // The maintenance of the server can make more meanwhile, which are not kept and are removed again.
    const names = kept.map((reference) => `${reference}.pem`).toSorted();
    await until(async () => isDeepStrictEqual((await readdir(folder)).toSorted(), names));
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    const stored = await storedBytes(server.database);
    for (const name of names) {
      assert.equal((await stat(`${folder}/${name}`)).mode & 0o777, 0o600);
      assert.ok(stored.includes(name.replace('.pem', '')));
      const pem = await readFile(`${folder}/${name}`, 'utf8');
      assert.ok(!stored.includes(pem.split('\n')[1] ?? ''));
    }
  });

  it('takes over from keys in the database by a rotation, and the file goes when the key is compromised', async () => {
    await using directory = await temporaryDirectory();
    const folder = directory.file('keys');
    await using server = await startServer({ 'signing.algorithms': 'ES256' });
    const before = await signingNode(server, { 'signing.algorithms': 'ES256' });
    const first = await before.signer.sign(claims, { algorithm: 'ES256', type: 'JWT' });
    const run = async (...args: string[]) => {
      const options = [
        '--signing-kms',
        'file',
        '--signing-kms-options',
        JSON.stringify({ directory: folder }),
      ];
      const { code, stdout, stderr } = await watchword([
        'keys',
        ...args,
        '--database',
        server.database,
        '--json',
        ...options,
      ]);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    };
    const [{ kid, privateKey }] = (await run('rotate', '--now')).keys;
    assert.equal(privateKey, 'kms');
    const node = await signingNode(server, { 'signing.algorithms': 'ES256', ...kmsFlags(folder) });
    const text = await node.signer.sign(claims, { algorithm: 'ES256', type: 'JWT' });
    assert.equal(decodeProtectedHeader(text).kid, kid);
    assert.deepEqual(await node.signer.verify(first, { type: 'JWT', keys: 'published' }), claims);
    assert.equal((await readdir(folder)).length, 1);
    await run('retire', kid, '--compromised', '--yes');
    assert.deepEqual(await readdir(folder), []);
  });

  it('registers a key that it has already', async () => {
    await using directory = await temporaryDirectory();
    await using server = await startServer({ 'signing.algorithms': 'ES256' });
    const kms = await fileKms({ settings: { directory: directory.path } });
    const call = { signal: AbortSignal.timeout(5000) };
    const reference = await kms.create('EdDSA', call);
    const options = [
      '--signing-kms',
      'file',
      '--signing-kms-options',
      JSON.stringify({ directory: directory.path }),
    ];
    const add = (...args: string[]) =>
      watchword([
        'keys',
        'import',
        '--kms-key',
        reference,
        ...args,
        '--database',
        server.database,
        '--json',
        ...options,
      ]);
    assert.match((await add()).stderr, /--algorithm: expected RS256 or ES256/);
    const { code, stdout, stderr } = await add('--algorithm', 'EdDSA', '--kid', 'in-kms');
    assert.equal(code, 0, stderr);
    assert.deepEqual([JSON.parse(stdout).kid, JSON.parse(stdout).privateKey], ['in-kms', 'kms']);
    assert.match(
      (await add('--algorithm', 'EdDSA')).stderr,
      /This key is the signing key in-kms for EdDSA already/,
    );
  });

  it('never leaves its folder, and never uses a file that other users can read', async () => {
    await using directory = await temporaryDirectory();
    const kms = await fileKms({ settings: { directory: directory.file('keys') } });
    const call = { signal: AbortSignal.timeout(5000) };
    const { privateKey } = generateKeyPairSync('ed25519');
    await writeFile(directory.file('outside.pem'), privateKey.export({ format: 'pem', type: 'pkcs8' }), {
      mode: 0o600,
    });
    for (const reference of [
      '../outside',
      '/etc/passwd',
      '..',
      '.',
      '',
      'a/b',
      'a\0b',
      '-x',
      'x'.repeat(65),
    ]) {
      await assert.rejects(
        kms.publicKey(reference, call),
        /a reference has 1 to 64 letters, digits and hyphens/,
      );
      await assert.rejects(kms.sign(reference, 'EdDSA', Buffer.from('x'), call), /a reference has/);
      await assert.rejects(async () => kms.remove?.(reference, call), /a reference has/);
    }
    const reference = await kms.create('EdDSA', call);
    await chmod(directory.file(`keys/${reference}.pem`), 0o640);
    await assert.rejects(
      kms.publicKey(reference, call),
      /other users can use .*: expected the mode 600; run chmod 600/,
    );
  });

  it('rejects wrong options with what is expected', async () => {
    for (const [settings, words] of [
      [{}, /directory must be the absolute path of a folder/],
      [{ directory: 'keys' }, /directory must be the absolute path/],
      [{ directory: '/tmp', passphrase: 'x' }, /"passphrase" is not an option; the option is directory/],
    ] as const) {
      await using directory = await temporaryDirectory();
      const options = ['--signing-kms-options', JSON.stringify(settings)];
      const flags = ['--port', '0', '--signing-kms', 'file', ...options];
      const { code, stderr } = await watchword(['serve', '--database', directory.file('x.db'), ...flags]);
      assert.equal(code, 2);
      assert.match(stderr, /signing\.kms \(--signing-kms\): "file" cannot be loaded/);
      assert.match(stderr, words);
    }
  });
});

describe('a key management system of the operator', () => {
  it('is loaded from a file, and needs its three methods', async () => {
    await using directory = await temporaryDirectory();
    const module = directory.file('kms.mjs');
    await writeFile(module, "export default () => ({ name: 'mine', create() {}, sign() {} });\n");
    const { code, stderr } = await watchword([
      ...['serve', '--port', '0'],
      '--database',
      directory.file('x.db'),
      '--signing-kms',
      module,
    ]);
    assert.equal(code, 2);
    assert.match(stderr, /must return an object with name, create, publicKey and sign, and returned object/);
  });

  const key = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const good: KeyManagement = {
    name: 'mine',
    create: async () => 'ref',
    publicKey: async () => ({
      ...(key.publicKey.export({ format: 'jwk' }) as Record<string, string>),
      d: 'private',
    }),
    sign: async (_reference, _algorithm, data) =>
      createSign('sha256').update(data).sign({ key: key.privateKey, dsaEncoding: 'ieee-p1363' }),
  };
  const nodeWith = (kms: KeyManagement) => signingParts(new FakeClock()).node({ kms, sealingKey: undefined });

  it('signs, and gives away no member but those of the public half', async () => {
    const node = await nodeWith(good);
    const text = await node.signer.sign(claims, { algorithm: 'ES256', type: 'JWT' });
    assert.deepEqual(await node.signer.verify(text, { type: 'JWT', keys: 'published' }), claims);
    assert.deepEqual(Object.keys(node.keys.published()[0] ?? {}).sort(), [
      'alg',
      'crv',
      'kid',
      'kty',
      'use',
      'x',
      'y',
    ]);
  });

  for (const [what, broken, words] of [
    [
      'returns ASN.1',
      { sign: async (_r, _a, data) => createSign('sha256').update(data).sign(key.privateKey) },
      /returned a signature that the public key of ref does not verify: expected the form of JWS for ES256/,
    ],
    ['signs with another key', { sign: async () => Buffer.alloc(64, 1) }, /does not verify/],
    [
      'fails',
      { sign: async () => Promise.reject(new Error('access denied')) },
      /the key management system "mine" cannot sign: access denied/,
    ],
    [
      'cannot make a key',
      { create: async () => Promise.reject(new Error('quota')) },
      /the key management system "mine" cannot make a key: quota/,
    ],
  ] as readonly [string, Partial<KeyManagement>, RegExp][]) {
    it(`gives no client a token when it ${what}`, async () => {
      const node = await nodeWith({ ...good, ...broken });
      await assert.rejects(node.signer.sign(claims, { algorithm: 'ES256', type: 'JWT' }), (error: Error) => {
        assert.equal(error.name, 'KeyManagementError');
        assert.match(error.message, words);
        return true;
      });
    });
  }

  it('is asked again after a failure', async () => {
    let isDown = true;
    const node = await nodeWith({
      ...good,
      sign: async (...args) => (isDown ? Promise.reject(new Error('down')) : good.sign(...args)),
    });
    await assert.rejects(node.signer.sign(claims, { algorithm: 'ES256', type: 'JWT' }), /down/);
    isDown = false;
    assert.ok((await node.signer.sign(claims, { algorithm: 'ES256', type: 'JWT' })).length > 0);
  });

  it('keeps no key that it makes too late', async (context) => {
    const limit = new AbortController();
    context.mock.method(AbortSignal, 'timeout', () => limit.signal);
    const removed: string[] = [];
    const create = async () => {
      limit.abort();
      await new Promise(setImmediate);
      return 'late';
    };
    const remove = async (reference: string) => void removed.push(reference);
    const node = await nodeWith({ ...good, create, remove });
    await assert.rejects(
      node.signer.sign(claims, { algorithm: 'ES256', type: 'JWT' }),
      /"mine" cannot make a key: it did not answer within 4 seconds/,
    );
    await until(() => removed.length > 0);
    assert.deepEqual(removed, ['late']);
  });

  it('answers requests that need a signature with 503 while it is down', async () => {
    await using directory = await temporaryDirectory();
    const module = directory.file('kms.mjs');
    const fail = "async () => { throw new Error('down'); }";
    await writeFile(
      module,
      `export default () => ({ name: 'mine', create: ${fail}, publicKey: ${fail}, sign: ${fail} });\n`,
    );
    await using server = await startServer({ 'signing.kms': module });
    const answer = await server.get('/oauth2/jwks');
    assert.equal(answer.status, 503);
    assert.ok(answer.headers.get('retry-after'));
    assert.match(server.log(), /the key management system \\"mine\\" cannot make a key: down/);
    assert.doesNotMatch(answer.text, /mine|down/);
  });
});
