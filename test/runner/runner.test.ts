import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { slowTest } from '@watchword/testkit';
import {
  below,
  closing,
  type Printed,
  type ProjectFiles,
  type ProjectRuns,
  projectRuns,
} from '../support/runner-project.ts';
import { shareOut, testFiles } from './test-files.ts';

const onLinux = process.platform === 'linux' ? {} : { skip: 'only Linux has /dev/shm' };

const passing = `import { describe, it } from 'node:test';
  describe('sums', () => { it('adds', () => {}); it('waits', { skip: 'for later' }, () => {}); });`;

/** Its hooks fail where those of another file still work. */
const withHooks = `import { after, before, it } from 'node:test';
  before(() => { if (globalThis.isOpen) throw new Error(); globalThis.isOpen = true; });
  after(() => { delete globalThis.isOpen; });
  it('is open', () => { console.log('process:', process.pid); if (!globalThis.isOpen) throw new Error(); });`;

/** A file that prints what the runner has set. */
const printing = `import { it } from 'node:test'; import { tmpdir } from 'node:os';
  it('prints', () => console.log(
    'soak:', process.env.TEST_SOAK, 'slow tests:', process.env.TEST_SLOW, 'temporary:', tmpdir()));`;

/** A project whose tests pass. */
const good: ProjectFiles = {
  'packages/a/test/a.test.ts': passing,
  'packages/a/test/hooks-1.test.ts': withHooks,
  'packages/a/test/hooks-2.test.ts': withHooks,
  'test/a.test.ts': passing,
  'test/b.slow.test.ts': passing,
  'test/printing.test.ts': printing,
  'test/promises.test.ts': `import assert from 'node:assert'; import { executionAsyncId } from 'node:async_hooks';
    import { it } from 'node:test';
    it('awaits', async () => {
      await 1; const first = executionAsyncId();
      await 1; assert.equal(executionAsyncId(), first); });`,
  'well.js': "console.log('a line');",
};

/** What a file changes in its process, and the statement that does so. */
const changes = [
  ['the working directory', "process.chdir('/');"],
  ['the environment variable A_NAME', "process.env.A_NAME = 'x';"],
  ['the global aName', 'globalThis.aName = 1;'],
] as const;

/** What a file leaves open, and the statement that does so. */
const open = [
  ['TCPServerWrap', "await new Promise((resolve) => createServer().listen(0, '127.0.0.1', resolve));"],
  ['Timeout', 'setInterval(() => {}, 1000);'],
] as const;

/** A project whose files fail, each for a reason of its own, and files between them that pass. */
const bad: ProjectFiles = {
  'test/a.slow.test.ts': 'throw new Error("a slow file is not asked for");',
  'test/assertion.test.ts': `import assert from 'node:assert'; import { describe, it } from 'node:test';
    describe('sums', () => { it('adds', () => assert.equal(1 + 1, 3)); it('counts', () => {}); });`,
  'test/assertion-of-truth.test.ts': `import assert from 'node:assert'; import { it } from 'node:test';
    it('knows', () => {
      assert.equal(1 > 2, true); });`,
  'test/blocking.test.ts': `import { it } from 'node:test';
    it('waits', () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });`,
  ...Object.fromEntries(
    ['test/changing-1.test.ts', 'test/changing-2.test.ts'].map((file) => [
      file,
      `import assert from 'node:assert'; import { it } from 'node:test';
       it('finds nothing changed', () => {
         assert.ok(process.cwd() !== '/' && !process.env.A_NAME && !globalThis.aName);
         ${changes.map(([, statement]) => statement).join('\n')} });`,
    ]),
  ),
  'test/empty.test.ts': '',
  'test/ending.test.ts': `import { it } from 'node:test'; it('ends', () => process.exit(0));`,
  'test/opening.test.ts': `import { createServer } from 'node:net'; import { it } from 'node:test';
    it('opens', async () => { ${open.map(([, statement]) => statement).join('\n')} });
    it('ends later', () => { setTimeout(() => {}, 100); });`,
  'test/passing.test.ts': passing,
  'test/printing.test.ts': printing,
  'test/throwing.test.ts': 'throw new Error("no");',
  'test/uncaught.test.ts': `import { it } from 'node:test';
    it('ends', async () => {
      const caught = new Promise((resolve) => process.once('uncaughtException', resolve));
      setTimeout(() => { throw new Error('too late'); });
      await caught; });`,
  'test/z.test.ts': passing,
};

const wrong = "console.log('a line'); process.exitCode = 1;";

/** The value that `printing` wrote. */
const printed = ({ lines }: Printed, name: string) =>
  lines.map((line) => new RegExp(`${name}: (\\S+)`).exec(line)?.[1]).find((value) => value !== undefined);

describe('the test runner', () => {
  let projects: ProjectRuns;
  let passed: Printed;
  let failed: Printed;
  let soaked: Printed;
  /** Of a run that was killed. */
  const abandoned = `/dev/shm/watchword-run-${spawnSync(process.execPath, ['--version']).pid}-x`;
  before(async () => {
    projects = await projectRuns();
    if (process.platform === 'linux') await mkdir(abandoned);
    passed = await projects.run(good, ['--all', '--beside', 'well.js'], { TMPDIR: undefined });
    [failed, soaked] = await Promise.all([
      // Other tests run meanwhile: until the process has loaded its code, it can get no processor time for seconds.
      projects.run(bad, [], { TEST_BLOCK_LIMIT: '10000' }),
      projects.run({ 'test/printing.test.ts': printing, 'wrong.js': wrong }, [
        '--soak',
        '--beside',
        'wrong.js',
      ]),
    ]);
  });
  after(() => projects[Symbol.asyncDispose]());

  it('prints the numbers of passed, failed and skipped tests, and exits 0 when none failed', () => {
    assert.equal(passed.code, 0, passed.lines.join('\n'));
    assert.match(closing(passed)[0] ?? '', /^7 files in \d+\.\d s, processor \d+\.\d s$/);
    assert.equal(passed.lines.at(-1), '7 passed, 0 failed, 3 skipped');
  });

  it('prints a failure where it occurs, repeats its name at the end, and exits 1', () => {
    const name = '✖ test/assertion.test.ts › sums › adds';
    assert.match(below(failed, name)[0] ?? '', /AssertionError/);
    assert.ok(closing(failed).includes(name));
    assert.deepEqual([failed.code, failed.lines.at(-1)], [1, '9 passed, 10 failed, 2 skipped']);
  });

  it('runs a program beside the tests with --beside, prints what it wrote, and fails with it', () => {
    assert.match(passed.lines.join('\n'), /^✔ well\.js \(\d+\.\d s\)\n {4}a line$/m);
    assert.match(soaked.lines.join('\n'), /^✖ wrong\.js \(\d+\.\d s\)\n {4}a line$/m);
    assert.deepEqual([soaked.code, closing(soaked)[0]], [1, '✖ wrong.js']);
    assert.ok(!soaked.lines.some((line) => line.startsWith('One file alone')), 'no test has failed');
  });

  it('prints why tests were skipped', () => {
    assert.deepEqual(below(passed, '✔ packages/a/test/a.test.ts'), ['skipped: for later']);
  });

  slowTest('gives tests PostgreSQL with --postgresql, and runs only those that have a database', async () => {
    const file = `import { it } from 'node:test';
      it('has it', () => { if (process.env.TEST_DATABASE !== 'postgresql') throw new Error(); });`;
    const files = { 'packages/server/test/a.test.ts': file, 'packages/protocol/test/b.test.ts': passing };
    const { lines } = await projects.run(files, ['--postgresql']);
    assert.equal(lines.at(-1), '1 passed, 0 failed, 0 skipped');
  });

  it(
    'has temporary files in memory where there is room, and removes them, also those of a run that was killed',
    onLinux,
    () => {
      const used = printed(passed, 'temporary') ?? '';
      assert.deepEqual([existsSync(abandoned), existsSync(used)], [false, used === '/tmp']);
    },
  );

  for (const [file, what] of [
    ['throwing', 'that cannot be loaded'],
    ['empty', 'that has no test'],
    ['ending', 'that ends its process'],
  ] as const) {
    it(`fails a file ${what}, and runs those after it`, () => {
      assert.ok(closing(failed).includes(`✖ test/${file}.test.ts`));
      assert.ok(failed.lines.some((line) => line.startsWith('✔ test/z.test.ts')));
    });
  }

  it('fails a file in which an error occurs that no test catches, and prints the error', () => {
    assert.ok(below(failed, '✖ test/uncaught.test.ts').includes('uncaughtException: Error: too late'));
    assert.ok(closing(failed).includes('✖ test/uncaught.test.ts'));
  });

  it('ends a test that blocks its process for too long, and names its file', () => {
    const line = 'test/blocking.test.ts has blocked the event loop for 10 seconds';
    assert.ok(below(failed, '✖ test/blocking.test.ts').includes(line));
    assert.ok(closing(failed).includes('✖ test/blocking.test.ts'));
  });

  it('does not follow the promises of a test', () => {
    assert.ok(passed.lines.some((line) => line.startsWith('✔ test/promises.test.ts')));
  });

  it('fails without tests, for example for a misspelt path', async () => {
    const { code, lines } = await projects.run({ 'packages/a/test/a.test.ts': passing }, ['package/a']);
    assert.deepEqual([code, lines.at(-1)], [1, '0 passed, 0 failed, 0 skipped']);
  });

  for (const [what] of changes) {
    it(`fails a file that has changed ${what}, and puts it back for the files after it`, () => {
      assert.equal(failed.lines.filter((line) => line === `    the file has changed ${what}`).length, 2);
      for (const number of [1, 2]) {
        assert.ok(closing(failed).includes(`✖ test/changing-${number}.test.ts`));
        assert.ok(!failed.lines.some((line) => line.includes(`changing-${number}.test.ts › finds`)));
      }
    });
  }

  for (const [what] of open) {
    it(`fails a file that has left open: ${what}`, () => {
      assert.ok(failed.lines.includes(`    the file has left open: 1 × ${what}`));
      assert.ok(closing(failed).includes('✖ test/opening.test.ts'));
    });
  }

  it('shows the assertion that compares with true or false, whose values say nothing', () => {
    const shown = failed.lines.indexOf('    assert.equal(1 > 2, true); });');
    assert.match(failed.lines[shown - 1] ?? '', /✖ test\/assertion-of-truth\.test\.ts › knows$/);
  });

  it('runs files one after the other in a process, and keeps the hooks at the top of a file to that file', () => {
    const processes = passed.lines.filter((line) => line.startsWith('    process: '));
    assert.deepEqual([processes.length, new Set(processes).size], [2, 1]);
  });

  it('leaves out slow files, unless all are asked for, or they are named', async () => {
    assert.ok(!failed.lines.some((line) => line.includes('test/a.slow.test.ts')));
    assert.ok(passed.lines.some((line) => line.startsWith('✔ test/b.slow.test.ts')));
    await using directory = await temporaryDirectory();
    await mkdir(directory.file('test'));
    for (const name of ['a.test.ts', 'b.slow.test.ts']) await writeFile(directory.file(`test/${name}`), '');
    assert.deepEqual(testFiles(directory.path, ['test/b'], false), ['test/b.slow.test.ts']);
  });

  it('has slow tests left out where slow files are, and not in a file that is named', async () => {
    const named = await projects.run({ 'test/printing.test.ts': printing }, ['test/printing']);
    const set = [passed, failed, soaked, named].map((run) => printed(run, 'slow tests'));
    assert.deepEqual(set, ['undefined', 'none', 'undefined', 'undefined']);
  });

  it('gives the files that have a browser to every fourth process first, and each file once', () => {
    const page = 'packages/console/test/a.test.ts';
    const [first, second, third] = shareOut([page, 'test/b.test.ts', 'test/c.test.ts'], 3);
    assert.deepEqual(
      [second?.(), third?.(), first?.(), second?.(), first?.()],
      ['test/b.test.ts', 'test/c.test.ts', page, undefined, undefined],
    );
  });

  it('runs more rounds of random tests with --soak', () => {
    assert.deepEqual([printed(passed, 'soak'), printed(soaked, 'soak')], ['undefined', '1']);
  });
});
