import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { describe, it } from 'node:test';
import { main } from '@watchword/cli/main';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { loadConfiguration, type Sources } from '../../src/config/load.ts';
import { ConfigurationError } from '../../src/configuration-error.ts';

const url = 'postgres://ann:geheim@db.example/id';
const load = (sources: Partial<Sources>) =>
  loadConfiguration({ flags: {}, environment: {}, file: undefined, ...sources });

async function problemsOf(sources: Partial<Sources>): Promise<string> {
  try {
    await load(sources);
  } catch (error) {
    assert.ok(error instanceof ConfigurationError, String(error));
    return error.message;
  }
  return assert.fail('the configuration was accepted');
}

/** A file with the URL. */
async function urlFile(content = `${url}\n`) {
  const directory = await temporaryDirectory();
  const file = directory.file('url');
  await writeFile(file, content);
  return { file, directory, [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose]() };
}

/** All output of a command. The testkit would move the URL into a variable. */
async function outputOf(...args: readonly string[]): Promise<string> {
  let output = '';
  const sink = { write: (text: string) => (output += text) };
  await main(['node', 'watchword', ...args], {
    env: {},
    stdin: Readable.from([]),
    stdout: sink,
    stderr: sink,
    log: { stream: sink, dropped: () => 0, flush: async () => {} },
  });
  return output;
}

describe('the setting databaseUrlFile', () => {
  it('names a file with the URL of the database', async () => {
    await using secret = await urlFile();
    const { configuration, origins } = await load({
      environment: { WATCHWORD_DATABASE_URL_FILE: secret.file },
    });
    assert.equal(configuration.database, url);
    assert.equal(origins.database, 'environment');
  });

  it('is relative to the configuration file that names it', async () => {
    await using secret = await urlFile();
    const file = secret.directory.file('watchword.yaml');
    await writeFile(file, 'databaseUrlFile: url\n');
    assert.equal((await load({ file })).configuration.database, url);
  });

  it('takes precedence over a database of the environment as a flag, and loses against a flag as a variable', async () => {
    await using secret = await urlFile();
    const { file } = secret;
    const preferred = await load({
      flags: { databaseUrlFile: file },
      environment: { WATCHWORD_DATABASE: 'x.db' },
    });
    assert.equal(preferred.configuration.database, url);
    assert.equal(preferred.configuration.databaseUrlFile, file);
    const lost = await load({
      flags: { database: 'x.db' },
      environment: { WATCHWORD_DATABASE_URL_FILE: file },
    });
    assert.equal(lost.configuration.database, 'x.db');
    assert.equal(lost.configuration.databaseUrlFile, undefined, 'it is not read again later');
  });

  it('is rejected beside a database of the same source', async () => {
    await using secret = await urlFile();
    assert.match(
      await problemsOf({ flags: { database: 'x.db', databaseUrlFile: secret.file } }),
      /^ {2}databaseUrlFile \(--database-url-file\): cannot be set together with database \(--database\); remove one of them$/m,
    );
  });

  for (const [what, content, problem] of [
    ['is empty', '\n', 'got nothing'],
    ['has another text', 'ann:geheim@db.example', 'got another text'],
    ['has two lines', `${url}\n${url}`, 'got another text'],
  ] as const) {
    it(`is rejected if its file ${what}, and the content is not shown`, async () => {
      await using secret = await urlFile(content);
      const message = await problemsOf({ flags: { databaseUrlFile: secret.file } });
      assert.ok(
        message.includes(
          `databaseUrlFile (${secret.file}): expected a URL such as postgres://user@host/name, ${problem}`,
        ),
        message,
      );
      assert.doesNotMatch(message, /geheim/);
    });
  }

  it('is rejected if there is no such file', async () => {
    assert.match(
      await problemsOf({ flags: { databaseUrlFile: '/nowhere/url' } }),
      /databaseUrlFile \(\/nowhere\/url\): cannot be read: ENOENT/,
    );
  });
});

describe('a setting of PostgreSQL', () => {
  it('is rejected for a SQLite database', async () => {
    const message = await problemsOf({
      flags: { databaseListen: url, 'postgresql.connections': '9' },
      environment: { WATCHWORD_DATABASE: './x.db', WATCHWORD_POSTGRESQL_LOCK_TIMEOUT: '3' },
    });
    assert.match(
      message,
      /^ {2}databaseListen \(--database-listen\): is a setting of PostgreSQL, and the database is the file \.\/x\.db; remove it, or name a PostgreSQL database$/m,
    );
    assert.match(message, /^ {2}postgresql\.connections \(--postgresql-connections\): is a setting/m);
    assert.match(
      message,
      /^ {2}postgresql\.lockTimeout \(WATCHWORD_POSTGRESQL_LOCK_TIMEOUT\): is a setting/m,
    );
    assert.doesNotMatch(message, /geheim/);
  });

  it('is of no effect for a SQLite database that a flag names', async () => {
    const environment = { WATCHWORD_DATABASE: url, WATCHWORD_POSTGRESQL_CONNECTIONS: '9' };
    assert.equal((await load({ environment })).configuration['postgresql.connections'], 9);
    assert.equal(
      (await load({ environment, flags: { database: 'drill.db' } })).configuration.database,
      'drill.db',
    );
  });
});

describe('a setting for a replica', () => {
  const advice =
    'is no setting since release 0.2.0; remove it: the primary answers every look-up, so that a revoked token is refused everywhere at once';

  it('is refused in a file and as a flag, and warned about as a variable, with what to do', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.file('watchword.yaml');
    await writeFile(file, `databaseReplica: ${url}\n`);
    const message = await problemsOf({ file });
    assert.ok(message.includes(`databaseReplica (${file}): ${advice}`), message);
    const output = await outputOf('serve', '--database-replica', url);
    assert.ok(output.startsWith(`error: --database-replica ${advice}\n`), output);
    assert.doesNotMatch(message + output, /geheim/);
    const { warnings } = await load({ environment: { WATCHWORD_DATABASE_REPLICA: url } });
    assert.deepEqual(warnings, [`WATCHWORD_DATABASE_REPLICA is set but ${advice}`]);
  });
});

describe('a password in the URL of a database', () => {
  it('is a warning in a flag, and none in a variable or a file', async () => {
    const { warnings } = await load({
      flags: { database: url, databaseListen: url },
    });
    assert.deepEqual(warnings, [
      '--database has a password, and other users of the machine can read the flags of a process; put the URL into the variable WATCHWORD_DATABASE, or in the file of databaseUrlFile',
      '--database-listen has a password, and other users of the machine can read the flags of a process; put the URL into the variable WATCHWORD_DATABASE_LISTEN, or in the configuration file',
    ]);
    assert.deepEqual((await load({ environment: { WATCHWORD_DATABASE: url } })).warnings, []);
  });

  it('is a warning of every command on standard error, and is not printed', async () => {
    const unreachable = 'postgres://ann:geheim@127.0.0.1:1/id';
    for (const command of [
      ['client', 'list'],
      ['migrate'],
      ['check'],
      ['purge'],
      ['backup', 'x'],
      ['restore', 'x'],
      ['restored', '--yes'],
      ['serve', '--port', '0'],
      ['config'],
    ]) {
      for (const json of [[], ['--json']]) {
        const all = await outputOf(...command, ...json, '--database', unreachable);
        // A server warns in its log, after the start.
        if (!command.includes('serve')) assert.match(all, /--database has a password/, command.join(' '));
        assert.doesNotMatch(all, /geheim/, command.join(' '));
      }
    }
  });
});
