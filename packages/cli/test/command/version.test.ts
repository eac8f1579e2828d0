import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { deprecations, removal } from '@watchword/server/config/former-settings';
import { version } from '@watchword/server/version';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { startServer } from '@watchword/server-testkit/servers/server';
import { sql } from '@watchword/server-testkit/servers/sql';
import { compareReleases } from '../../src/releases/version-check.ts';

/** A directory, with a way to run the command on a database in it. */
async function place() {
  const directory = await temporaryDirectory();
  const database = directory.file('x.db');
  const check = (...args: string[]) => watchword(['version', '--check', '--database', database, ...args]);
  return {
    ...directory,
    database,
    check,
    migrate: () => copyMigrated(database),
    // biome-ignore lint/suspicious/noExplicitAny: tests read any field of the output
    async json(...args: string[]): Promise<any> {
      const { code, stdout } = await check('--json', ...args);
      const report = JSON.parse(stdout);
      assert.equal(code, report.ready ? 0 : 1);
      return report;
    },
    sql: (text: string, ...values: string[]) => sql(database, text, ...values),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

/** The files of a directory with their content. */
function contentOf(directory: string): string[] {
  return readdirSync(directory)
    .map(
      (name) =>
        `${name} ${createHash('sha256')
          .update(readFileSync(join(directory, name)))
          .digest('hex')}`,
    )
    .toSorted();
}

describe('watchword version', () => {
  it('prints the release, the Node.js that runs it, and the schemas that it serves', async () => {
    const { stdout } = await watchword(['version']);
    assert.match(
      stdout,
      new RegExp(`^Watchword ${version}, Node\\.js ${process.versions.node}, schema \\d{4}-`),
    );
    const report = JSON.parse((await watchword(['version', '--json'])).stdout);
    assert.deepEqual(Object.keys(report), ['version', 'node', 'schema']);
    assert.equal(report.version, version);
    assert.match(report.schema.newest, /^\d{4}-/);
  });
});

describe('watchword version --check', () => {
  it('exits with 0 and changes nothing where this release can start', async () => {
    await using here = await place();
    await here.migrate();
    const before = contentOf(here.path);
    const { code, stdout } = await here.check();
    assert.match(stdout, /Configuration: .*accepts.*\nDatabase: .*up to date\.\nServers: none.*\nReady: /);
    assert.equal(code, 0);
    assert.deepEqual(contentOf(here.path), before);
  });

  it('makes no database where there is none', onlyOn('sqlite', 'a file'), async () => {
    await using here = await place();
    const { ready, database } = await here.json();
    assert.equal(ready, false);
    assert.match(database.findings[0], /There is no database at .*watchword migrate/);
    assert.deepEqual(readdirSync(here.path), []);
    const missing = join(here.path, 'sub', 'x.db');
    assert.equal((await watchword(['version', '--check', '--database', missing])).code, 1);
    assert.ok(!existsSync(join(here.path, 'sub')));
  });

  it('says that a file without tables is refused', onlyOn('sqlite', 'a file'), async () => {
    await using here = await place();
    await writeFile(here.database, '');
    const { ready, database } = await here.json();
    assert.equal(ready, false);
    assert.match(database.findings[0], /has no tables of Watchword.*remove it/);
    assert.equal(readFileSync(here.database).length, 0);
  });

  const schemas = onlyOn('postgresql', 'has databases without tables');
  it('lists what a start would change in a database without tables', schemas, async () => {
    await using here = await place();
    const { ready, database } = await here.json();
    assert.equal(ready, true);
    assert.equal(database.pending[0].name, '0001-schema');
    assert.match((await here.check()).stdout, /is empty\. "watchword migrate", or the start of a server/);
  });

  it('names what is missing where a newer release has migrated and this one cannot go on', async () => {
    await using here = await place();
    await here.migrate();
    await here.sql("insert into schema_migration values ('9998-more', '2030-01-01')");
    const onward = await here.json();
    assert.equal(onward.ready, true);
    assert.deepEqual(onward.database.unknown, ['9998-more']);
    await here.sql("update schema_requirement set migration_name = '9998-more'");
    const { database } = await here.json();
    assert.match(
      database.findings[0],
      /newer release of Watchword.*9998-more.*Run the newer release, or restore/,
    );
  });

  it('reports every setting that this release refuses, and compares the database all the same', async () => {
    await using here = await place();
    await here.migrate();
    await mkdir(here.file('templates'));
    const file = here.file('c.yaml');
    await writeFile(file, 'hots: example.com\nport: eighty\n');
    const { configuration, database } = await here.json('--config', file);
    assert.deepEqual(configuration.findings.map(({ path }: { path: string }) => path).toSorted(), [
      'hots',
      'port',
    ]);
    assert.deepEqual(database.pending, []);
    assert.match(
      (await here.check('--config', file)).stdout,
      / {2}hots \(.*c\.yaml\): .*did you mean host\?/,
    );
  });

  it('reports files of settings that this release refuses', async () => {
    await using here = await place();
    await here.migrate();
    const { configuration } = await here.json('--metrics-token-file', here.file('missing'));
    assert.deepEqual(
      configuration.findings.map(({ path }: { path: string }) => path),
      ['metrics.tokenFile'],
    );
  });

  it('does not take another database for the one of a configuration that it cannot read', async () => {
    await using here = await place();
    const file = here.file('c.yaml');
    await writeFile(file, 'database: "x');
    const { code, stdout } = await watchword(['version', '--check', '--config', file]);
    assert.equal(code, 1);
    assert.match(stdout, /Database: not compared, because the configuration does not tell/);
  });

  it('shows the release of the servers, also while they answer', async () => {
    await using here = await place();
    await using server = await startServer({ database: here.database });
    const { servers, ready } = await here.json();
    assert.equal(ready, true);
    assert.deepEqual(
      servers.map(({ release }: { release: string }) => release),
      [version],
    );
    assert.ok(servers[0].since > 0);
    assert.match((await here.check()).stdout, new RegExp(`Servers: .*release ${version}, which is this one`));
    assert.equal((await server.get('/readyz')).status, 200);
  });

  it('warns of a variable that is no setting, and is ready', async () => {
    await using here = await place();
    await here.migrate();
    const env = { WATCHWORD_PROT: '80' };
    const { code, stdout } = await watchword(['version', '--check', '--database', here.database], { env });
    assert.match(
      stdout,
      /warning: WATCHWORD_PROT is set but is not a setting; did you mean WATCHWORD_PORT\?/,
    );
    assert.equal(code, 0);
  });

  it('exits with 2 for an option that does not exist', async () => {
    assert.equal((await watchword(['version', '--chekc'])).code, 2);
  });
});

describe('a setting of an earlier release', () => {
  const former = {
    'http.limit': { since: '0.3.0', advice: 'name it http.bodyLimit' },
    port: { since: '0.4.0', advice: 'name it listen.port' },
  };

  it('is refused with its new name once it is removed', () => {
    const named = removal((path) => path === 'http.limit', former);
    assert.equal(named, 'is no setting since release 0.3.0; name it http.bodyLimit');
    assert.equal(
      removal((path) => path === 'port', former),
      undefined,
    );
    assert.equal(
      removal((path) => path === 'other', former),
      undefined,
    );
  });

  it('is a warning while it is deprecated, and only where it is given', () => {
    assert.deepEqual(deprecations({ port: { place: 'c.yaml' } }, former), [
      'port (c.yaml) is deprecated since release 0.4.0, and a later one removes it; name it listen.port',
    ]);
    assert.deepEqual(deprecations({ port: {} }, former), []);
  });
});

describe('the order of releases', () => {
  it('is that of Semantic Versioning', () => {
    const ordered = ['0.9.0', '0.10.0-rc.2', '0.10.0-rc.10', '0.10.0', '0.10.1', '1.0.0', '1.0.1+build'];
    assert.deepEqual(ordered.toReversed().toSorted(compareReleases), ordered);
    assert.equal(compareReleases('1.0.0', '1.0.0'), 0);
  });
});
