import assert from 'node:assert/strict';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { installedPackage, installPostgresql } from '../src/postgresql/installation.ts';
import { unprivilegedUser } from '../src/postgresql/run-as.ts';
import { postgresqlServer } from '../src/postgresql/shared-server.ts';
import { query } from '../src/postgresql.ts';
import { privateDirectory } from './support/private-directory.ts';

describe('the PostgreSQL of the tests', () => {
  it('is version 18, with UTF-8 and the order of English', async () => {
    const server = await postgresqlServer();
    const facts = `select current_setting('server_version_num')::int / 10000 as version,
      getdatabaseencoding() as encoding, 'a' < 'B' as "isEnglish"`;
    assert.deepEqual(await query(server.url(), facts), [{ version: 18, encoding: 'UTF8', isEnglish: true }]);
  });

  it('is not taken from a directory that another user can change', async () => {
    await using directory = await privateDirectory();
    await chmod(directory.path, 0o755);
    const user = (await unprivilegedUser()).uid ?? process.getuid?.();
    const foreign = join(directory.path, `watchword-postgresql-x-${user}-1`);
    await mkdir(foreign);
    await chmod(foreign, 0o777);
    const { directory: packaged } = installedPackage();
    await assert.rejects(installPostgresql([directory.path], { version: 'x', directory: packaged }), {
      message: `${foreign} belongs to another user or can be changed by others. Remove it.`,
    });
  });
});

describe('a database of a test', () => {
  it('has only what its test writes, and is dropped with the connections to it', async () => {
    const server = await postgresqlServer();
    const [one, other] = await Promise.all([server.createDatabase(), server.createDatabase()]);
    await query(one.url, 'create table event (id int)');
    await assert.rejects(query(other.url, 'select * from event'), /does not exist/);
    const sleeping = assert.rejects(query(one.url, 'select pg_sleep(600)'), /terminat/);
    const running = `select 1 from pg_stat_activity where datname = '${one.name}' and query like 'select pg_sleep%'`;
    while ((await query(server.url(), running)).length === 0);
    await Promise.all([one.drop(), other.drop(), sleeping]);
    await assert.rejects(query(one.url, 'select 1'), /does not exist/);
  });

  it('is a copy of a template that is filled once, whoever asks first', async () => {
    const server = await postgresqlServer();
    let filled = 0;
    const fill = async (url: string) => {
      filled += 1;
      await query(url, 'create table event (id int)');
    };
    const name = `events_${process.pid}`;
    const [template, again] = await Promise.all([server.template(name, fill), server.template(name, fill)]);
    assert.deepEqual([filled, again], [1, template]);
    await using database = await server.createDatabase(template);
    assert.deepEqual(await query(database.url, 'select * from event'), []);
  });
});
