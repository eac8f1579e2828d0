import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, it } from 'node:test';
import { projectRuns } from '../support/runner-project.ts';

describe('the test runner, for files whose tests have a database,', () => {
  it('bundles the command of the sources, and removes it at the end', async () => {
    const file = `import { execFileSync } from 'node:child_process'; import { it } from 'node:test';
      it('runs', () => console.log('bundled:', process.env.TEST_PROGRAM,
        execFileSync(process.execPath, [process.env.TEST_PROGRAM, '--version'], { encoding: 'utf8' }))); `;
    const unbundled = { TEST_PROGRAM: undefined, TMPDIR: tmpdir() };
    await using projects = await projectRuns();
    const { code, lines } = await projects.run({ 'packages/server/test/a.test.ts': file }, [], unbundled);
    const [, bin = '', version] =
      lines.map((line) => /bundled: (\S+) (\S+)/.exec(line)).find((match) => match !== null) ?? [];
    assert.deepEqual([code, version, bin.startsWith(tmpdir()), existsSync(bin)], [0, '0.1.0', true, false]);
  });
});
