import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchword } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';
import { blocks, codeSpans, lines, section, words } from './support/markdown.ts';

const guide = readFileSync(new URL('../docs/upgrading.md', import.meta.url), 'utf8');

describe('the guide to upgrades', () => {
  it('compares a release before an upgrade, and goes back with the backup that it names', async () => {
    const [check = ''] = blocks('sh', section('Before an upgrade', guide)).flatMap(lines);
    const named = codeSpans(guide).filter((code) => code.startsWith('npx watchword'));
    const [backup = '', restore = ''] = named;
    await using directory = await temporaryDirectory();
    await writeFile(directory.file('watchword.yaml'), `database: ${directory.file('watchword.db')}\n`);
    const run = async (line: string) => {
      const absolute = words(line.replace('npx watchword ', '')).map((word) =>
        /^\.\/|\.yaml$/.test(word) ? directory.file(word) : word,
      );
      const env = { WATCHWORD_CONFIG: directory.file('watchword.yaml') };
      const { code, stdout, stderr } = await watchword(absolute, { env });
      assert.equal(code, 0, `${line}: ${stdout}${stderr}`);
      return stdout;
    };
    await copyMigrated(directory.file('watchword.db'));
    assert.match(await run(check), /^Configuration: .*\nDatabase: .*\nServers: .*\nReady: /m);
    await run(backup);
    await run(restore);
  });
});
