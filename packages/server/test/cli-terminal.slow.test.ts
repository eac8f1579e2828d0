import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { it } from 'node:test';
import { atTerminal, temporaryDirectory, watchword } from '@watchword/server-testkit/process';
import { copyDemo } from '@watchword/server-testkit/server';

const hasTerminals = process.platform === 'linux' && existsSync('/usr/bin/script');

it('client delete asks at a terminal, deletes after a confirmation, and does not ask with --yes', {
  skip: !hasTerminals,
}, async () => {
  await using directory = await temporaryDirectory();
  await copyDemo(directory.file('x.db'));
  const database = ['--database', directory.file('x.db')];
  const deletion = ['client', 'delete', 'demo-app', ...database];
  const lost = 'demo-app with 0 active tokens';
  const refused = await atTerminal(deletion, 'n\n');
  assert.equal(refused.code, 1);
  assert.ok(refused.stdout.includes(`Delete ${lost}? [y/N] `), refused.stdout);
  assert.match(refused.stdout, /Nothing was deleted/);
  assert.equal((await watchword(['client', 'show', 'demo-app', ...database])).code, 0);
  const agreed = await atTerminal(deletion, 'y\n');
  assert.equal(agreed.code, 0, agreed.stdout);
  assert.ok(agreed.stdout.includes(`Deleted ${lost}`));
  const unasked = await atTerminal(['client', 'delete', 'demo-service', '--yes', ...database], '');
  assert.equal(unasked.code, 0);
  assert.doesNotMatch(unasked.stdout, /y\/N/);
});
