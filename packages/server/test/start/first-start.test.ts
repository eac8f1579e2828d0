import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { commandRuns, sealingKey } from '@watchword/server-testkit/processes/command-runs';
import { killedAt } from '@watchword/server-testkit/processes/killed-at';
import { temporaryDirectory, watchword, watchwordProcess } from '@watchword/server-testkit/processes/process';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { checkSqlite } from '@watchword/store-sql';
import { variants } from '@watchword/testkit';

const only = onlyOn('sqlite', 'makes files');

describe('a first start that is killed', only, () => {
  it('leaves no database or a complete one, and the next start goes on', async (test) => {
    for (const [point, command] of variants(2, [
      ['before the rename', 'serve'],
      ['after the rename', 'migrate'],
      ['pragma journal_mode = wal', 'migrate'],
    ] as const)) {
      test.diagnostic(point);
      await using directory = await temporaryDirectory();
      const database = directory.file('x.db');
      const args = [command, '--database', database, ...(command === 'serve' ? ['--port', '0'] : [])];
      const killed = await watchwordProcess(args, killedAt(point));
      assert.equal(killed.code, null, killed.stdout);
      assert.equal(existsSync(database), point === 'after the rename');
      assert.equal((await watchword(['migrate', '--database', database])).code, 0);
      assert.deepEqual(readdirSync(directory.file('.')).toSorted(), ['x.db', 'x.db.lock']);
      assert.deepEqual(checkSqlite(database), []);
    }
  });
});

describe('a file that is there and empty', only, () => {
  const others: typeof commandRuns = {
    serve: { args: ['--port', '0'], prints: /./ },
    check: { args: [], prints: /./ },
    backup: { args: ['copy.db'], prints: /./ },
    restored: { args: ['--yes'], prints: /./ },
    'migrate-data': { args: [], prints: /./ },
  };
  // These first, because each opens the database in its own way.
  const allRuns = Object.entries({ ...others, ...commandRuns });

  it('is refused by each command with what to do, and stays empty', async () => {
    await using directory = await temporaryDirectory();
    const database = directory.file('x.db');
    await writeFile(database, '');
    for (const [command, { args, stdin }] of variants(6, allRuns)) {
      // The examination goes on to the server, and needs one.
      if (command === 'doctor') continue;
      const given = typeof args === 'function' ? args('01a20940-2cfa-75f4-828c-7bedabc3f794') : args;
      const moved = command === 'migrate-data' ? ['--from', database, '--to', directory.file('to.db')] : [];
      const env = {
        WATCHWORD_SIGNING_KEY: sealingKey,
        ...(command !== 'migrate-data' && { WATCHWORD_DATABASE: database }),
      };
      const result = await watchword([...command.split(' '), ...given, ...moved], {
        env,
        ...(stdin && { stdin }),
      });
      const text = result.stdout + result.stderr;
      assert.match(text, /x\.db is there, but has no tables of Watchword.*remove it/, `${command}: ${text}`);
      assert.equal(result.code, 1, command);
      assert.equal((await readFile(database)).length, 0, command);
    }
  });
});
