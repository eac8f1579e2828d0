import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { after, before, beforeEach, describe, it } from 'node:test';
import { signingKeyState } from '@watchword/protocol';
import type { Signing } from '@watchword/server/signing/signing';
import { systemClock } from '@watchword/server/system';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { databaseFor } from '@watchword/server-testkit/servers/engine';
import { everyAlgorithm, signingNode } from '@watchword/server-testkit/servers/signing-node';
import { sql } from '@watchword/server-testkit/servers/sql';
import { openServerStore, type ServerStore } from '@watchword/store-sql';

const leadSeconds = 600;

describe('the commands for signing keys', () => {
  /** The database without a server, which would make the keys that are missing. */
  let server: { database: string; service: { store: ServerStore } };
  let signing: Signing;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  before(async () => {
    directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    const database = await databaseFor(directory.file('x.db'));
    const store = await openServerStore({ database, clock: systemClock, isMachineClock: true });
    server = { database, service: { store } };
    signing = await signingNode(server, { 'signing.algorithms': everyAlgorithm });
  });
  after(async () => {
    await server.service.store.close();
    await directory[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    await server.service.store.transact(async ({ signingKeys }) => {
      for (const { kid } of await signingKeys.list()) await signingKeys.remove(kid);
    });
    await signing.make('ES256');
  });

  const run = (args: readonly string[], stdin?: string) => {
    const split = args.indexOf('--') < 0 ? args.length : args.indexOf('--');
    const line = ['keys', ...args.slice(0, split), '--database', server.database, ...args.slice(split)];
    return watchword(line, stdin === undefined ? {} : { stdin });
  };

  /** Runs a command that must succeed, and returns its JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the output
  async function json(...args: string[]): Promise<any> {
    const { code, stdout, stderr } = await run([...args.slice(0, 1), '--json', ...args.slice(1)]);
    assert.equal(code, 0, stderr);
    await server.service.store.refreshRegistry();
    return JSON.parse(stdout);
  }

  async function assertRefused(expected: number, words: RegExp, ...args: string[]): Promise<void> {
    const { code, stderr, stdout } = await run(args);
    assert.equal(code, expected, stdout + stderr);
    assert.match(stderr, words);
    assert.doesNotMatch(stderr + stdout, /\n\s+at |PRIVATE|"d"/);
  }

  /** The states of all keys, the newest key first, as `list` shows them. */
  const states = async () => {
    const { clock, signingKeys } = server.service.store;
    const keys = (await signingKeys.list()).toSorted((a, b) => b.publishedAt - a.publishedAt);
    return keys.map((key) => [key.kid, signingKeyState(key, clock.now())]);
  };
  const current = () => signing.keys.signing('ES256')?.kid ?? '';
  const file = async (name: string, content: string) => {
    const path = directory.file(name);
    await writeFile(path, content);
    return path;
  };
  /** It takes longer to make than most tests. */
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const pem = (key: KeyObject) => key.export({ format: 'pem', type: 'pkcs8' }).toString();

  it('list keys with their states and times, and never a private half', async () => {
    const kid = current();
    const [row] = await json('list');
    assert.deepEqual(
      { ...row, publishedAt: 0, signsFrom: 0 },
      {
        kid,
        algorithm: 'ES256',
        state: 'signing',
        publishedAt: 0,
        signsFrom: 0,
        privateKey: 'database',
      },
    );
    const { stdout } = await run(['list']);
    assert.match(
      stdout,
      new RegExp(`^KID +ALGORITHM +STATE .*\\n${kid}  ES256 +signing +\\d{4}-\\d\\d-\\d\\dT`),
    );
    assert.ok(!stdout.includes('sealed'));
  });

  it('rotate: publish the next key, which signs ten minutes later, and only one', async () => {
    const old = current();
    const { keys } = await json('rotate');
    const [{ kid, algorithm, state, signsFrom, publishedAt }] = keys;
    assert.deepEqual([algorithm, state, signsFrom - publishedAt], ['ES256', 'published', leadSeconds * 1000]);
    assert.equal(current(), old);
    assert.deepEqual((await json('rotate')).keys[0].kid, kid);
    assert.deepEqual(await states(), [
      [kid, 'published'],
      [old, 'signing'],
    ]);
    const { stdout } = await run(['rotate']);
    assert.match(stdout, new RegExp(`^The key ${kid} is published, and signs with ES256 from 20.*Z\\.\\n$`));
    assert.deepEqual((await json('rotate', '--now')).keys[0].state, 'signing');
    assert.equal(current(), kid);
    assert.deepEqual(await states(), [
      [kid, 'signing'],
      [old, 'retiring'],
    ]);
  });

  it('rotate the keys of one algorithm, or of all that sign', async () => {
    await signing.make('EdDSA');
    const { keys } = await json('rotate', '--algorithm', 'EdDSA');
    assert.deepEqual(
      keys.map(({ algorithm }: { algorithm: string }) => algorithm),
      ['EdDSA'],
    );
    const all = (await json('rotate')).keys;
    assert.deepEqual(
      all.map(({ algorithm }: { algorithm: string }) => algorithm),
      ['ES256', 'EdDSA'],
    );
    await assertRefused(
      2,
      /--algorithm: expected one of RS256, ES256, EdDSA, PS256, got "HS256"/,
      'rotate',
      '--algorithm',
      'HS256',
    );
  });

  it('retire: let another key follow the one that signs, or withdraw one that does not sign yet', async () => {
    const old = current();
    const { next } = await json('retire', old);
    assert.deepEqual(await states(), [
      [next.kid, 'published'],
      [old, 'signing'],
    ]);
    const withdrawn = await json('retire', next.kid);
    assert.deepEqual([withdrawn.key.state, withdrawn.next.kid], ['retiring', old]);
    assert.equal(
      (await server.service.store.signingKeys.list()).find(({ kid }) => kid === old)?.retiredAt,
      undefined,
    );
    await assertRefused(
      1,
      /is retiring\. If another party has its private half, add --compromised/,
      'retire',
      next.kid,
    );
    await assertRefused(
      1,
      /no signing key with this id; "watchword keys list" shows all/,
      'retire',
      'unknown',
    );
    assert.match(
      (await run(['retire', old])).stdout,
      new RegExp(
        `^The key ${old} signs until the next one does; its tokens stay valid\\.\nThe key .* is published`,
      ),
    );
    const [[waiting = '']] = (await states()) as [[string]];
    assert.match(
      (await run(['retire', waiting])).stdout,
      new RegExp(
        `^The key ${waiting} is retired: it does not sign, and its tokens stay valid\\.\nThe key ${old} signs`,
      ),
    );
  });

  it('retire --compromised: refuse the tokens of a key in any state at once, and erase its private half', async () => {
    const kid = current();
    const text = await signing.signer.sign({ sub: 'emma' }, { algorithm: 'ES256', type: 'JWT' });
    const { key, next } = await json('retire', kid, '--compromised', '--yes');
    assert.deepEqual([key.state, key.privateKey, next], ['compromised', 'erased', null]);
    for (const keys of ['published', 'everSigned'] as const) {
      assert.equal(await signing.signer.verify(text, { type: 'JWT', keys }), undefined);
    }
    const after = await signing.signer.sign({ sub: 'emma' }, { algorithm: 'ES256', type: 'JWT' });
    assert.ok((await signing.signer.verify(after, { type: 'JWT', keys: 'published' })) !== undefined);
    assert.equal((await json('retire', kid, '--compromised', '--yes')).key.state, 'compromised');
    const rotated = (await json('rotate')).keys[0].kid;
    const promoted = await json('retire', current(), '--compromised', '--yes');
    assert.deepEqual([promoted.next.kid, promoted.next.state], [rotated, 'signing']);
  });

  it('retire --compromised asks at a terminal, and changes nothing without an answer', async () => {
    const retire = ['keys', 'retire', current(), '--compromised', '--database', server.database];
    const { stderr } = await watchword(retire, { stdin: 'n\n', isTyped: true });
    assert.match(stderr, /Refuse every token that the key [0-9a-f]{16} has signed\? \[y\/N\]/);
    assert.deepEqual(await states(), [[current(), 'signing']]);
  });

  it('are in the audit log, with the user of the command line and without a private half', async () => {
    const [{ kid }] = (await json('rotate')).keys;
    await json('retire', kid, '--compromised', '--yes');
    const events = (await server.service.store.auditEvents.list({ limit: 10 })).filter(
      ({ recordId }) => recordId === kid,
    );
    assert.deepEqual(
      events.map(({ action, recordType, actor }) => [action, recordType, actor.name]),
      ['update', 'create'].map((action) => [action, 'signingKey', userInfo().username]),
    );
    assert.deepEqual(Object.keys(events[0]?.after ?? {}).sort(), ['compromisedAt', 'retiredAt']);
    assert.doesNotMatch(JSON.stringify(events), /sealed|private/i);
  });

  it('import a key in every form, which then signs under its id', async () => {
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const ed = generateKeyPairSync('ed25519').privateKey;
    const jwk = JSON.stringify({ ...ed.export({ format: 'jwk' }), kid: 'of-the-jwk', alg: 'EdDSA' });
    for (const [args, stdin, expected] of [
      [
        [await file('ec.pem', pem(ec)), '--kid', 'a/b+c=', '--now'],
        undefined,
        ['a/b+c=', 'ES256', 'signing'],
      ],
      [
        [
          await file('sec1.pem', rsa.export({ format: 'pem', type: 'pkcs1' }).toString()),
          '--algorithm',
          'PS256',
        ],
        undefined,
        [undefined, 'PS256', 'signing'],
      ],
      [['-'], jwk, ['of-the-jwk', 'EdDSA', 'signing']],
    ] as const) {
      const { code, stdout, stderr } = await run(['import', ...args, '--json'], stdin);
      assert.equal(code, 0, stderr);
      const { kid, algorithm, state, privateKey } = JSON.parse(stdout);
      assert.deepEqual(
        [expected[0] ?? kid, algorithm, state, privateKey],
        [kid, ...expected.slice(1), 'database'],
      );
      await server.service.store.refreshRegistry();
      const text = await signing.signer.sign({ sub: 'x' }, { algorithm, type: 'JWT' });
      assert.equal(JSON.parse(Buffer.from(text.split('.')[0] ?? '', 'base64url').toString()).kid, kid);
      assert.ok((await signing.signer.verify(text, { type: 'JWT', keys: 'published' })) !== undefined);
    }
  });

  it('import follows the key that signs, as a rotation does', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { state } = await json('import', await file('next.pem', pem(privateKey)));
    assert.equal(state, 'published');
  });

  it('refuse to import what is no usable private key, and say what is expected', async () => {
    const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
    const x25519 = generateKeyPairSync('x25519').privateKey;
    const pss = generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).privateKey;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const locked = privateKey.export({
      format: 'pem',
      type: 'pkcs8',
      cipher: 'aes-256-cbc',
      passphrase: 'x',
    });
    for (const [content, words, ...args] of [
      [pem(small), /expected an RSA key of 2048 bits or more, got 1024/, '--algorithm', 'RS256'],
      [pem(rsa), /--algorithm: expected RS256 or PS256, because a key is used with one algorithm only/],
      [pem(rsa), /can be used with RS256 or PS256, and not with ES256/, '--algorithm', 'ES256'],
      [pem(p384), /expected the curve P-256, got secp384r1/],
      [pem(x25519), /expected an RSA, P-256 or Ed25519 key, got x25519/],
      [pem(pss), /expected an RSA, P-256 or Ed25519 key, got rsa-pss/],
      [locked.toString(), /a key with a passphrase; remove it with "openssl pkey/],
      [
        publicKey.export({ format: 'pem', type: 'spki' }).toString(),
        /expected a private key in PEM or as a JSON Web Key/,
      ],
      [
        JSON.stringify(publicKey.export({ format: 'jwk' })),
        /expected a private key in PEM or as a JSON Web Key/,
      ],
      ['not a key', /expected a private key in PEM or as a JSON Web Key/],
      ['', /expected a private key in PEM or as a JSON Web Key/],
      [
        JSON.stringify({ ...privateKey.export({ format: 'jwk' }), alg: 'ES384' }),
        /can be used with ES256, and not with ES384/,
      ],
      [pem(privateKey), /--kid: expected 1 to 128 printable ASCII characters/, '--kid', 'a b'],
      [pem(privateKey), /--kid: expected 1 to 128 printable ASCII characters/, '--kid', 'x'.repeat(129)],
    ] as const) {
      await assertRefused(2, words, 'import', await file('wrong.pem', content), ...args);
    }
    await assertRefused(
      2,
      /keys import: .*missing\.pem cannot be read: ENOENT/,
      'import',
      directory.file('missing.pem'),
    );
    await assertRefused(2, /expected either a file or --kms-key <reference>; got both or neither/, 'import');
    assert.equal((await states()).length, 1);
  });

  it('refuse to import a key or an id twice, also for another algorithm', async () => {
    const rsaFile = await file('rsa.pem', pem(rsa));
    await json('import', rsaFile, '--algorithm', 'RS256', '--kid', 'mine');
    await assertRefused(
      1,
      /This key is the signing key mine for RS256 already; a key is used with one algorithm only/,
      'import',
      rsaFile,
      '--algorithm',
      'PS256',
    );
    const other = await file('ec2.pem', pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey));
    await assertRefused(
      1,
      /There is a signing key with this id already; name another id with --kid/,
      'import',
      other,
      '--kid',
      'mine',
    );
  });

  it('advise -- for an id that begins with -', async () => {
    const other = await file('dash.pem', pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey));
    await json('import', other, '--kid=-abc');
    await assertRefused(
      2,
      /An id that begins with "-" stands after "--": watchword keys retire -- -abc\n/,
      'retire',
      '-abc',
    );
    await assertRefused(
      2,
      /An id that begins with "-" stands after "--": watchword keys export-public -- -abc\n/,
      'export-public',
      '-abc',
    );
    const { code, stderr } = await run(['retire', '--compromised', '--yes', '--', '-abc']);
    assert.equal(code, 0, stderr);
  });

  it('export public keys as the JWKS has them, one of them, and PEM', async () => {
    await signing.make('EdDSA');
    const { code, stdout } = await run(['export-public']);
    assert.equal(code, 0);
    await server.service.store.refreshRegistry();
    assert.deepEqual(JSON.parse(stdout), { keys: signing.keys.published() });
    assert.equal(signing.keys.published().length, 2);
    const one = JSON.parse((await run(['export-public', current()])).stdout);
    assert.equal(one.kid, current());
    const text = (await run(['export-public', current(), '--pem'])).stdout;
    assert.equal(createPublicKey(text).export({ format: 'jwk' }).x, one.x);
    assert.throws(() => createPrivateKey(text));
    await assertRefused(1, /no signing key with this id/, 'export-public', 'unknown');
  });

  it('need no private half for what is urgent: a key is ended while the key that seals it is lost', async () => {
    const kid = current();
    await sql(server.database, "update signing_key set sealed_private_key = 'x'");
    const { code, stderr } = await run(['retire', kid, '--compromised', '--yes']);
    assert.equal(code, 0, stderr);
    await server.service.store.refreshRegistry();
    assert.deepEqual(await states(), [[kid, 'compromised']]);
  });
});
