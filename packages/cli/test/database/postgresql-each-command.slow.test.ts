import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandRuns, sealingKey } from '@watchword/server-testkit/processes/command-runs';
import { watchword } from '@watchword/server-testkit/processes/process';
import { postgresqlServer } from '@watchword/testkit/postgresql';

describe('each command over PostgreSQL', () => {
  it('does its work', async () => {
    await using database = await (await postgresqlServer()).createDatabase();
    let token = '';
    for (const [command, { args, stdin, prints, code = 0 }] of Object.entries(commandRuns)) {
      const words = [...command.split(' '), ...(typeof args === 'function' ? args(token) : args), '--json'];
      const result = await watchword(words, {
        env: { WATCHWORD_DATABASE: database.url, WATCHWORD_SIGNING_KEY: sealingKey },
        ...(stdin && { stdin }),
      });
      const text = (result.stdout + result.stderr).replaceAll('": ', '":');
      assert.match(text, prints, `${command}: ${JSON.stringify(result)}`);
      assert.equal(result.code, code, `${command}: ${text}`);
      if (command === 'token issue') token = JSON.parse(result.stdout).id;
    }
  });
});
