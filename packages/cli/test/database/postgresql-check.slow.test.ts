import assert from 'node:assert/strict';
import { it } from 'node:test';
import { watchword } from '@watchword/server-testkit/processes/process';
import { startPostgresql } from '@watchword/testkit/postgresql';

it('watchword check says what it has checked on a PostgreSQL server in order', async () => {
  await using postgresql = await startPostgresql({ settings: { fsync: 'on' } });
  const env = { WATCHWORD_DATABASE: (await postgresql.createDatabase()).url };
  assert.equal((await watchword(['migrate'], { env })).code, 0);
  const { checked, findings } = JSON.parse((await watchword(['check', '--json'], { env })).stdout);
  assert.deepEqual(findings, []);
  for (const what of [
    /^version 18/,
    /^schema/,
    /^rights of the role postgres$/,
    /^fsync on/,
    /^connections/,
    /^clock/,
  ])
    assert.ok(
      checked.some((each: string) => what.test(each)),
      `${what} in ${checked}`,
    );
  const { code, stdout } = await watchword(['check'], { env });
  assert.equal(code, 0);
  assert.match(
    stdout,
    /^Checked postgres:\/\/postgres@127\.0\.0\.1:\d+\/\w+:\n {2}version 18.*\n(?: {2}.*\n)+Servers can use it\.\n/,
  );
});
