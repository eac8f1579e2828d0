import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { bin, watchword } from '@watchword/server-testkit/processes/process';
import { onlyOn } from '@watchword/server-testkit/servers/engine';
import { databases, move } from '../support/moved-database.ts';

describe('migrate-data', onlyOn('sqlite', 'the test names both engines itself'), () => {
  it('continues after it was killed', async () => {
    await using at = await databases();
    fill(at.file, 20_000);
    const args = ['migrate-data', '--from', at.file, '--to-url-file', at.urlFile, '--json'];
    const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    for await (const text of child.stderr) if (/copied client:/.test(String(text))) break;
    child.kill('SIGKILL');
    await once(child, 'close');
    const refused = await watchword(['migrate', '--check', '--database-url-file', at.urlFile]);
    assert.match(refused.stderr, /only a part of its rows.*Run the same command again/);
    const report = await move('--from', at.file, '--to-url-file', at.urlFile);
    assert.equal(report.tables.access_token, 20_000);
    assert.ok(report.alreadyCopied > 0);
  });
});

function fill(file: string, tokens: number): void {
  const db = new DatabaseSync(file);
  db.exec(`insert into access_token with recursive n (i) as (select 1 union all select i + 1 from n where i < ${tokens})
    select randomblob(16), randomblob(32), 1, 'read', 0, i, null, null, i / 100 from n`);
  db.close();
}
