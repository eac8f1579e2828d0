import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { loadConfiguration, type Sources } from '../../src/config/load.ts';
import { environmentName, type Setting, settingPaths, settings } from '../../src/config/settings.ts';
import { ConfigurationError } from '../../src/configuration-error.ts';
import { fileKms } from '../../src/signing/kms/file-kms.ts';

const quoted = '"x.db"';
const advice = /; remove the quotes$/m;

/** What a file has for settings that name several files. */
const lists: Readonly<Record<string, unknown>> = {
  authenticators: [quoted],
  'clients.assertionIssuers': [{ issuer: 'https://issuer.example', jwksFile: quoted }],
};

/** Settings with a path in their value: a file gives it relative to itself. */
const pathSettings = settingPaths.filter((path) => {
  const { kind }: Setting<unknown> = settings[path];
  return kind.resolveFrom !== undefined;
});

const refuses = (sources: Partial<Sources>) =>
  assert.rejects(
    loadConfiguration({ flags: {}, environment: {}, file: undefined, ...sources }),
    (error) => error instanceof ConfigurationError && advice.test(error.message),
    JSON.stringify(sources),
  );

describe('a path that was written for a shell or another program', () => {
  it('is refused in every setting that names a file, as a flag, a variable and in a file', async () => {
    assert.ok(pathSettings.length >= 12);
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.json');
    for (const path of pathSettings) {
      const value = lists[path] ?? quoted;
      const text = path === 'clients.assertionIssuers' ? JSON.stringify(value) : quoted;
      await refuses({ flags: { [path]: text } });
      await refuses({ environment: { [environmentName(path)]: text } });
      await writeFile(file, JSON.stringify({ [path]: value }));
      await refuses({ file });
    }
    await refuses({ file: quoted });
    await refuses({ environment: { WATCHWORD_CONFIG: quoted } });
  });

  const files = onlyOn('sqlite', 'names files');
  it('is refused by every command that takes a file, and no file is made', files, async () => {
    await using directory = await temporaryDirectory();
    const database = ['--database', directory.file('x.db')];
    for (const args of [
      ...['migrate', 'check', 'purge', 'serve', 'bootstrap'].map((name) => [name, '--database', quoted]),
      ['backup', quoted, ...database],
      ['restore', quoted, '--yes', ...database],
      ['import', quoted, ...database],
      ['keys', 'import', quoted, ...database],
      ['user', 'create', 'emma', '--password-file', quoted, ...database],
      ['migrate-data', '--from', directory.file('x.db'), '--to', quoted],
      ['migrate-data', '--from', quoted, '--to', directory.file('x.db')],
      ['migrate-data', '--from-url-file', quoted, '--to', directory.file('x.db')],
      ['migrate', '--database-url-file', quoted],
      ['migrate', '--config', quoted],
    ]) {
      const { code, stderr } = await watchword(args);
      assert.deepEqual([code, advice.test(stderr)], [2, true], `${args.join(' ')}\n${stderr}`);
      const flag = args[args.indexOf(quoted) - 1] ?? '';
      if (flag.startsWith('--')) assert.match(stderr, new RegExp(`\\W${flag}\\)?:`), args.join(' '));
    }
    assert.deepEqual(await readdir(directory.path), []);
    assert.deepEqual(
      (await readdir('.')).filter((name) => name.includes('"')),
      [],
    );
  });

  it('is refused as the folder of private keys', async () => {
    await using directory = await temporaryDirectory();
    await assert.rejects(
      fileKms({ settings: { directory: `${directory.file('keys')}\r` } } as Parameters<typeof fileKms>[0]),
      /the option directory must be the path of a folder; remove U\+000D at position \d+$/,
    );
    assert.deepEqual(await readdir(directory.path), []);
  });
});
