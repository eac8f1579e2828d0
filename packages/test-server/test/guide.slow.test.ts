import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../../', import.meta.url));

// With the other test runners, npm run check:packages runs its examples.
describe('the guide to the test server', () => {
  it('has an example for node:test that runs', async () => {
    const guide = await readFile(join(root, 'docs/guides/test-your-api.md'), 'utf8');
    // Below the packages that the examples import.
    const cache = join(root, 'node_modules/.cache');
    await mkdir(cache, { recursive: true });
    const directory = await mkdtemp(join(cache, 'watchword-guide-'));
    try {
      for (const name of ['api.mjs', 'api.test.mjs']) {
        const [, example] = new RegExp(`^\`\`\`js\\n(// ${name}\\n.*?)^\`\`\`$`, 'ms').exec(guide) ?? [];
        await writeFile(join(directory, name), example ?? '');
      }
      const args = ['--conditions=source', '--test', '--test-reporter=tap', join(directory, 'api.test.mjs')];
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const { stdout } = await promisify(execFile)(process.execPath, args, { env });
      assert.match(stdout, /^# pass 3$/m);
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
