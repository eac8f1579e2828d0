import assert from 'node:assert/strict';
import { chownSync, readdirSync, statSync } from 'node:fs';
import { describe, it } from 'node:test';
import { engine, onlyOn } from '@watchword/server-testkit/engine';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/process';

const needsRoot = 'only root can give files to another user, and these tests do not run as root';
const asRoot =
  process.getuid?.() !== 0 && engine === 'sqlite' ? { skip: needsRoot } : onlyOn('sqlite', 'makes files');

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
      ['keys', 'rotate', ...database],
      ['keys', 'rotate', ...kms, ...database],
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

  it('warn of what they could not give to the service, with the command that does', async () => {
    await using directory = await temporaryDirectory();
    const { file } = directory;
    const database = ['--database', file('x.db')];
    assert.equal((await watchword(['migrate', ...database])).code, 0);
    chownSync(file('.'), service, group);
    for (const args of [['migrate'], ['client', 'list'], ['backup', file('b.db')]]) {
      const { code, stderr } = await watchword([...args, ...database]);
      assert.equal(code, 0);
      assert.match(
        stderr,
        new RegExp(
          `^warning: user 0 owns .*As root, run: chown ${service}:${group} \\S+x\\.db \\S+x\\.db\\.lock`,
        ),
        args.join(' '),
      );
    }
  });
});
