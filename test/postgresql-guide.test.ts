import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { watchword } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { testSealingKey } from '@watchword/server-testkit/servers/engine';
import { postgresqlServer, withConnection } from '@watchword/testkit/postgresql';
import { read } from '../scripts/docs/contents.ts';
import { blocks, commandBlocks } from './support/markdown.ts';
import { startWalk } from './support/walk.ts';

const guide = ['postgresql.md', 'postgresql-recovery.md']
  .map((page) => read(`docs/guides/${page}`))
  .join('\n');

/** The roles and the database of the guide, under names of their own at the PostgreSQL server of the tests. */
async function guidedDatabase() {
  const server = await postgresqlServer();
  const { host } = new URL(server.url());
  const name = `guide_${process.pid}`;
  const here = (text: string) =>
    text
      .replaceAll(/postgres:\/\/watchword(_owner)?:/g, `postgres://${name}$1:`)
      .replaceAll('@db.example.com/watchword', `@${host}/${name}`);
  const [roles = '', rights = ''] = blocks('sql', guide).map((sql) => sql.replaceAll('watchword', name));
  const asSuperuser = (sql: string, database: string) =>
    withConnection(database, async (client) => {
      for (const statement of sql.split(';').filter((text) => text.trim() !== ''))
        await client.query(statement);
    });
  const database = Object.assign(new URL(server.url()), { pathname: `/${name}` }).href;
  await asSuperuser(roles, server.url());
  await asSuperuser(rights, database);
  return {
    here,
    [Symbol.asyncDispose]: () =>
      asSuperuser(`drop database ${name}; drop role ${name}; drop role ${name}_owner`, server.url()),
  };
}

describe('the guides to PostgreSQL', () => {
  it('makes roles and a database that servers can use, and has commands that work', async () => {
    await using database = await guidedDatabase();
    await using empty = await (await postgresqlServer()).createDatabase();
    await using walk = await startWalk({ baseUrl: 'http://localhost:8080', database: '' }, database.here);
    const [, configuration = ''] = /(# watchword\.yaml[\s\S]*?)^```/m.exec(guide) ?? [];
    const folder = walk.file('.');
    const role = database.here('postgres://watchword:SERVER_PASSWORD@db.example.com/watchword');
    for (const [file, text] of Object.entries({
      'watchword-database': role,
      'watchword-signing-key': testSealingKey,
      'watchword.yaml': configuration.replaceAll('/run/secrets', folder),
      'database-url': empty.url,
    })) {
      await writeFile(walk.file(file), text);
    }
    await copyMigrated(walk.file('watchword.db'), 'sqlite');
    const walked = commandBlocks(guide).filter(({ mark }) => mark === 'run by test/postgresql-guide.test.ts');
    assert.ok(walked.length > 5);
    for (const { commands } of walked) await walk.run(commands.replace('npx watchword check\n', ''));
    const env = { WATCHWORD_DATABASE: role };
    const printed = (await watchword(['check'], { env })).stdout.split('\n');
    for (const line of printed.filter((each) => /^\S/.test(each))) {
      const title = line.replace(/postgres:\S+/, 'postgres://watchword@db.example.com/watchword:');
      assert.ok(guide.includes(title), `the guide does not show what check prints: ${title}`);
    }
    assert.match(printed[1] ?? '', /^ {2}version \d/);
    const { stdout } = await watchword(['check', '--json'], { env });
    // The PostgreSQL of the tests does not wait for the disk.
    const findings = JSON.parse(stdout).findings.filter(
      (text: string) => !/^(?:fsync|full_page_writes) /.test(text),
    );
    assert.deepEqual(findings, []);
  });
});
