import assert from 'node:assert/strict';
import { chownSync, lchownSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { userInfo } from 'node:os';
import { describe, it } from 'node:test';
import { startProcess, temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { onlyAsRoot } from '@watchword/server-testkit/servers/engine';
import { slowTest } from '@watchword/testkit';

const asRoot = onlyAsRoot();

// Nobody has these.
const [service, group] = [34_567, 45_678];

describe('commands of root in the folder of a service', asRoot, () => {
  it('leave no file that the service cannot use', async () => {
    await using directory = await temporaryDirectory();
    const { file } = directory;
    chownSync(file('.'), service, group);
    const database = ['--database', file('x.db')];
    const kms = [
      '--signing-kms',
      'file',
      '--signing-kms-options',
      JSON.stringify({ directory: file('keys') }),
    ];
    for (const args of [
      ['migrate', ...database],
      ['user', 'create', 'emma', '--password-stdin', ...database],
      ['keys', 'rotate', '--algorithm', 'ES256', ...database],
      ['keys', 'rotate', '--algorithm', 'ES256', ...kms, ...database],
      ['purge', ...database],
      ['restored', '--yes', ...database],
      ['backup', file('backup.db'), ...database],
      ['restore', file('backup.db'), '--yes', ...database],
      ['migrate-data', '--from', file('x.db'), '--to', file('to.db')],
      ['check', ...database],
    ]) {
      const { code, stderr } = await watchword(args, { stdin: 'correct horse battery' });
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
      assert.doesNotMatch(stderr, /warning/);
    }
    const names = readdirSync(file('.'), { recursive: true }).map(String);
    assert.ok(names.includes('x.db.key') && names.some((name) => name.startsWith('keys/')), names.join());
    for (const name of names) {
      const { uid, gid, mode } = statSync(file(name));
      assert.deepEqual([uid, gid, mode & 0o077], [service, group, 0], name);
    }
  });

  slowTest(
    'say which files of root that service cannot use, with the command that gives them away',
    async () => {
      await using directory = await temporaryDirectory();
      const { file } = directory;
      const database = ['--database', file('x.db')];
      assert.equal((await watchword(['migrate', ...database])).code, 0);
      chownSync(file('.'), service, group);
      for (const args of [['migrate'], ['client', 'list'], ['backup', file('b.db')]]) {
        const { code, stderr } = await watchword([...args, ...database]);
        assert.equal(code, 1);
        const advice = new RegExp(`run as root: chown ${service}:${group} \\S+x\\.db \\S+x\\.db\\.lock`);
        assert.match(stderr, advice, args.join(' '));
      }
    },
  );

  it('cannot be led to files of root by a link of the service', async () => {
    await using directory = await temporaryDirectory();
    await using others = await temporaryDirectory();
    const { file } = directory;
    assert.equal((await watchword(['migrate', '--database', others.file('x.db')])).code, 0);
    const files = readdirSync(others.file('.'));
    for (const name of ['x.db', 'new.db']) symlinkSync(others.file(name), file(name));
    symlinkSync(others.file('.'), file('keys'));
    chownSync(file('.'), service, group);
    for (const name of files) lchownSync(file(name === 'x.db' ? name : 'keys'), service, group);
    const options = JSON.stringify({ directory: file('keys') });
    for (const args of [
      ['migrate', '--database', file('x.db')],
      ['migrate', '--database', file('new.db')],
      ['user', 'list', '--database', file('x.db')],
      ['backup', file('keys/b.db'), '--database', file('x.db')],
      [
        'keys',
        'rotate',
        '--signing-kms',
        'file',
        '--signing-kms-options',
        options,
        '--database',
        file('y.db'),
      ],
    ]) {
      const { code, stderr } = await watchword(args);
      assert.equal(code === 0, false, `${args.join(' ')}: ${stderr}`);
    }
    assert.deepEqual(readdirSync(others.file('.')), files);
  });

  slowTest('read a backup of root, and write one into a folder of root', async () => {
    await using directory = await temporaryDirectory();
    await using others = await temporaryDirectory();
    const { file } = directory;
    chownSync(file('.'), service, group);
    const database = ['--database', file('x.db')];
    for (const args of [
      ['migrate'],
      ['backup', others.file('backup.db')],
      ['restore', others.file('backup.db'), '--yes'],
      ['keys', 'rotate'],
    ]) {
      const { code, stderr } = await watchword([...args, ...database]);
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    }
    assert.deepEqual([statSync(others.file('backup.db')).uid, statSync(file('x.db')).uid], [0, service]);
    const { stdout } = await watchword(['audit', 'list', '--json', ...database]);
    assert.deepEqual(
      new Set(JSON.parse(stdout).map(({ actor }: { actor: string }) => actor)),
      new Set([userInfo().username]),
    );
  });

  it('are a server with no rights but those of the service, for good', async () => {
    await using directory = await temporaryDirectory();
    const { file } = directory;
    chownSync(file('.'), service, group);
    await using server = await startProcess(['--database', file('x.db'), '--port', '0']);
    const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
    assert.match(status, new RegExp(`^Uid:(\\s${service}){4}\\nGid:(\\s${group}){4}$`, 'm'));
    assert.match(status, new RegExp(`^Groups:\\s${group} *$`, 'm'));
  });
});
