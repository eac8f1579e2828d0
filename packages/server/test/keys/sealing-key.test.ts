import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { databaseFor, onlyOn } from '@watchword/server-testkit/servers/engine';
import { copyDemo, startServer } from '@watchword/server-testkit/servers/server';
import { makeFile } from '../../src/signing/staged-file.ts';

const files = onlyOn('sqlite', 'has a file beside it');
const mine = Buffer.alloc(32, 'mine').toString('base64');

type Flags = Parameters<typeof startServer>[0];
type Directory = Awaited<ReturnType<typeof temporaryDirectory>>;

async function demoDatabase(directory: Directory): Promise<string> {
  const database = directory.file('x.db');
  await copyDemo(database);
  return database;
}

/** `serve` must exit with this code and print the reason. */
async function assertRefused(code: number, words: RegExp, ...args: string[]): Promise<void> {
  const refused = await watchword(['serve', '--port', '0', '--signing-algorithms', 'ES256', ...args]);
  assert.equal(refused.code, code, refused.stderr + refused.stdout);
  assert.match(refused.stderr, words);
  assert.doesNotMatch(refused.stderr, /\n\s+at /);
}

/** Starts a server until it has a signing key. An RSA key would take longer to make than the start. */
async function withKey(database: string, flags: Flags = {}): Promise<string> {
  await using server = await startServer({ database, 'signing.algorithms': 'ES256', ...flags });
  const { keys } = JSON.parse((await server.get('/oauth2/jwks')).text);
  return keys[0].kid;
}

describe('the key that seals signing keys', () => {
  it('is made beside a SQLite database, for its user only, and stays', files, async () => {
    await using directory = await temporaryDirectory();
    const database = await demoDatabase(directory);
    const kid = await withKey(database);
    const made = `${database}.key`;
    const { mode } = await stat(made);
    assert.equal(mode & 0o777, 0o600);
    const content = await readFile(made, 'utf8');
    assert.match(content, /^[A-Za-z0-9_-]{43}\n$/);
    await symlink(database, directory.file('link.db'));
    assert.equal(await withKey(directory.file('link.db')), kid);
    assert.equal(await readFile(made, 'utf8'), content);
  });

  it('is made once, complete and alone, where the file system has no hard links', files, async () => {
    await using directory = await temporaryDirectory();
    const noLinks = async () => {
      throw Object.assign(new Error('no links'), { code: 'EPERM' });
    };
    const file = directory.file('x.key');
    const made = await Promise.allSettled(['a', 'b'].map((text) => makeFile(file, text, noLinks)));
    const [first] = made.flatMap((each, index) =>
      each.status === 'fulfilled' && each.value ? ['ab'[index]] : [],
    );
    assert.equal(await readFile(file, 'utf8'), first);
    assert.ok(!(await makeFile(file, 'c', noLinks)));
    assert.deepEqual([await readFile(file, 'utf8'), await readdir(directory.file('.'))], [first, ['x.key']]);
    const next = directory.file('y.key');
    await writeFile(`${next}.making`, '');
    await assert.rejects(
      makeFile(next, 'd', noLinks),
      /there is a file \S+y\.key\.making.*; remove it if no such process runs/,
    );
    await rm(`${next}.making`);
    assert.ok(await makeFile(next, 'd', noLinks));
  });

  it('is made once when several processes start at the same time', files, async () => {
    await using directory = await temporaryDirectory();
    const { makeSealingKey } = await import('../../src/signing/sealing-key.ts');
    const { systemRandom } = await import('../../src/system.ts');
    const file = directory.file('x.db.key');
    const keys = await Promise.all(Array.from({ length: 10 }, () => makeSealingKey(file, systemRandom)));
    const stored = Buffer.from(await readFile(file, 'utf8'), 'base64url');
    for (const key of keys) assert.deepEqual(Buffer.from(key), stored);
  });

  it(
    'is missed, with the name of the file and what to do, and the commands replace the lost keys',
    files,
    async () => {
      await using directory = await temporaryDirectory();
      const database = await demoDatabase(directory);
      const kid = await withKey(database);
      const file = `${database}.key`;
      await rename(file, `${file}.away`);
      const words = new RegExp(
        `The server cannot sign with the key ${kid} \\(ES256\\): the key that seals it is missing; bring the file \\S+x\\.db\\.key back, or name its copy with --signing-key-file\\. If it is lost, run "watchword keys rotate"`,
      );
      await assertRefused(1, words, '--database', database);
      await assert.rejects(stat(file), 'a start makes no key in place of a lost one');
      const check = await watchword(['check', '--database', database]);
      assert.equal(check.code, 1);
      assert.match(
        check.stdout,
        /x\.db is not damaged\.\nServers with these settings do not start:\n {2}the signing key \w+ \(ES256\): the key that seals it is missing; bring/,
      );
      const found = await watchword(['check', '--database', database, '--signing-key-file', `${file}.away`]);
      assert.equal(found.code, 0, found.stdout);
      assert.equal(await withKey(database, { 'signing.keyFile': `${file}.away` }), kid);

      const rotated = await watchword(['keys', 'rotate', '--database', database, '--json']);
      assert.equal(rotated.code, 0, rotated.stderr);
      const [{ kid: next, state }] = JSON.parse(rotated.stdout).keys;
      assert.equal(state, 'signing');
      assert.equal(await withKey(database), next);
    },
  );

  it('is another one: the start says so', async () => {
    await using directory = await temporaryDirectory();
    const database = await demoDatabase(directory);
    await writeFile(directory.file('mine'), ` ${mine}\n`);
    await withKey(database, { 'signing.keyFile': directory.file('mine') });
    await writeFile(directory.file('other'), Buffer.alloc(32, 'other').toString('hex'));
    const words =
      /it is sealed with another key than that of --signing-key-file or WATCHWORD_SIGNING_KEY; name the key that sealed it/;
    await assertRefused(1, words, '--database', database, '--signing-key-file', directory.file('other'));
    await withKey(database, { 'signing.key': mine });
  });

  it('cannot be read, has another form, or is named twice: the configuration has an error', async () => {
    await using directory = await temporaryDirectory();
    const database = await databaseFor(directory.file('x.db'));
    const file = directory.file('key');
    const refused = (words: RegExp, ...args: string[]) =>
      assertRefused(2, words, '--database', database, ...args);
    await refused(/signing\.keyFile \(.*key\): cannot be read: ENOENT/, '--signing-key-file', file);
    await writeFile(file, 'secret');
    await refused(
      /signing\.keyFile \(.*key\): expected 32 bytes in base64, or in 64 hexadecimal digits, got another text/,
      '--signing-key-file',
      file,
    );
    await writeFile(file, mine);
    await refused(
      /signing\.keyFile \(.*key\): cannot be set together with signing\.key; remove one of them/,
      '--signing-key-file',
      file,
      '--signing-key',
      mine,
    );
  });

  it('has a damaged file, or one that cannot be made: the start says what to do', files, async () => {
    await using directory = await temporaryDirectory();
    const database = await demoDatabase(directory);
    await writeFile(`${database}.key`, 'half a k');
    await assertRefused(
      1,
      /x\.db\.key has not the key that seals signing keys: expected 32 bytes in base64, got another text\. Bring the file back/,
      '--database',
      database,
    );
    await rm(`${database}.key`);
    const { makeSealingKey, madeSealingKey } = await import('../../src/signing/sealing-key.ts');
    const { systemRandom } = await import('../../src/system.ts');
    await assert.rejects(
      makeSealingKey(directory.file('none/x.db.key'), systemRandom),
      /cannot be made: ENOENT.*Free space on the disk, give the user of the server the right to write into the folder, or name a file/,
    );
    await assert.rejects(madeSealingKey(directory.path), /cannot be read: EISDIR.*--signing-key-file/);
  });

  it('has a folder in the place of its file: exit code 1 and the reason', files, async () => {
    await using directory = await temporaryDirectory();
    const database = await demoDatabase(directory);
    await mkdir(`${database}.key`);
    await assertRefused(1, /The key that seals signing keys cannot be read: EISDIR/, '--database', database);
  });

  it('is demanded of a server on PostgreSQL, which does not change the database without it', async () => {
    await using directory = await temporaryDirectory();
    const database = await databaseFor(directory.file('x.db'), 'postgresql');
    const words =
      /signing\.keyFile \(--signing-key-file\): expected a file with 32 bytes in base64, because a PostgreSQL database must not have the key that seals its signing keys; make one with "openssl rand -base64 32"/;
    const { code, stderr } = await watchword([
      'serve',
      '--port',
      '0',
      '--database-url-file',
      await urlFile(directory, database),
    ]);
    assert.equal(code, 2, stderr);
    assert.match(stderr, words);
    const report = await watchword(['migrate', '--check', '--json', '--database', database]);
    assert.match(report.stdout, /0001-schema/);
  });
});

async function urlFile(directory: Directory, url: string): Promise<string> {
  const file = directory.file('url');
  await writeFile(file, url);
  return file;
}
