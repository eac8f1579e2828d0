import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const runner = fileURLToPath(new URL('./main.ts', import.meta.url));
const passing = `import { describe, it } from 'node:test';
  describe('sums', () => { it('adds', () => {}); it('waits', { skip: 'for later' }, () => {}); });`;
const failing = `import assert from 'node:assert'; import { describe, it } from 'node:test';
  describe('sums', () => { it('adds', () => assert.equal(1 + 1, 3)); it('counts', () => {}); });`;

const onLinux = process.platform === 'linux' ? {} : { skip: 'only Linux has /dev/shm' };

type Files = Readonly<Record<string, string>>;

// Compiling the sources of the runner takes half of the processor time of a run, so the first run leaves the result to the others.
// The cache is not that of the project, because it would grow with the files of each run.
let compileCache = '';
before(async () => {
  compileCache = await mkdtemp(join(tmpdir(), 'watchword-runner-cache-'));
  await run({ 'test/a.test.ts': passing });
});
after(() => rm(compileCache, { recursive: true }));

/** Runs the tests of a project with these files, one file after the other. Resolves with the exit code and the printed lines. */
function run(files: Files, ...args: string[]) {
  return runWith({}, files, '--processes', '1', ...args);
}

async function runWith(environment: NodeJS.ProcessEnv, files: Files, ...args: string[]) {
  const root = await mkdtemp(join(tmpdir(), 'watchword-runner-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(join(root, dirname(file)), { recursive: true });
      await writeFile(join(root, file), text);
    }
    const { NODE_TEST_CONTEXT: _, TEST_SOAK: _soak, TEST_DATABASE: _database, ...inherited } = process.env;
    const own = { NODE_COMPILE_CACHE: compileCache, ...environment };
    const env = { ...inherited, ...own };
    return await new Promise<{ code: unknown; lines: string[] }>((resolve) => {
      execFile(process.execPath, [runner, ...args], { cwd: root, env }, (error, stdout) =>
        resolve({ code: error?.code ?? 0, lines: stdout.trimEnd().split('\n') }),
      );
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

/** The closing lines. */
function closing(lines: readonly string[]): readonly string[] {
  return lines.slice(lines.lastIndexOf('') + 1);
}

// The tests wait for time limits of other processes.
describe('the test runner', { concurrency: true }, () => {
  it('prints the numbers of passed, failed and skipped tests, and exits 0 when none failed', async () => {
    const { code, lines } = await run({ 'packages/a/test/a.test.ts': passing, 'test/b.test.ts': passing });
    assert.equal(code, 0);
    assert.match(closing(lines)[0] ?? '', /^2 files in \d+\.\d s, processor \d+\.\d s$/);
    assert.equal(lines.at(-1), '2 passed, 0 failed, 2 skipped');
  });

  it('prints a failure where it occurs, repeats its name at the end, and exits 1', async () => {
    const { code, lines } = await run({ 'packages/a/test/a.test.ts': failing, 'test/b.test.ts': passing });
    assert.equal(code, 1);
    const name = '✖ packages/a/test/a.test.ts › sums › adds';
    assert.match(lines[lines.indexOf(name) + 1] ?? '', /AssertionError/);
    assert.deepEqual([closing(lines)[0], lines.at(-1)], [name, '2 passed, 1 failed, 1 skipped']);
  });

  it('runs a program beside the tests with --beside, prints what it wrote, and fails with it', async () => {
    const program = (code: number) => `console.log('a line'); process.exitCode = ${code};`;
    const files = { 'test/a.test.ts': passing, 'well.js': program(0), 'wrong.js': program(1) };
    const well = await run(files, '--beside', 'well.js');
    assert.match(well.lines.join('\n'), /^✔ well\.js \(\d+\.\d s\)\n {4}a line$/m);
    assert.deepEqual([well.code, well.lines.at(-1)], [0, '1 passed, 0 failed, 1 skipped']);
    const wrong = await run(files, '--beside', 'wrong.js');
    assert.match(wrong.lines.join('\n'), /^✖ wrong\.js \(\d+\.\d s\)\n {4}a line$/m);
    assert.deepEqual([wrong.code, closing(wrong.lines)[0]], [1, '✖ wrong.js']);
    assert.ok(!wrong.lines.some((line) => line.startsWith('One file alone')), 'no test has failed');
  });

  it('prints why tests were skipped', async () => {
    const { lines } = await run({ 'packages/a/test/a.test.ts': passing });
    assert.ok(lines.includes('    skipped: for later'));
  });

  it('gives tests PostgreSQL with --postgresql, and runs only those that have a database', async () => {
    const file = `import { it } from 'node:test';
      it('has it', () => { if (process.env.TEST_DATABASE !== 'postgresql') throw new Error(); });`;
    const files = { 'packages/server/test/a.test.ts': file, 'packages/protocol/test/b.test.ts': passing };
    assert.equal((await run(files, '--postgresql')).lines.at(-1), '1 passed, 0 failed, 0 skipped');
  });

  it('gives tests that have a database the command of the sources, bundled, and removes it at the end', async () => {
    const file = `import { execFileSync } from 'node:child_process'; import { it } from 'node:test';
      it('runs', () => console.log('bundled:', process.env.TEST_PROGRAM,
        execFileSync(process.execPath, [process.env.TEST_PROGRAM, '--version'], { encoding: 'utf8' }))); `;
    const unbundled = { TEST_PROGRAM: undefined, TMPDIR: tmpdir() };
    const { code, lines } = await runWith(unbundled, { 'packages/server/test/a.test.ts': file });
    const [, bin = '', version] =
      lines.map((line) => /bundled: (\S+) (\S+)/.exec(line)).find((match) => match !== null) ?? [];
    assert.deepEqual([code, version, bin.startsWith(tmpdir()), existsSync(bin)], [0, '0.1.0', true, false]);
  });

  it(
    'has temporary files in memory where there is room, and removes them, also those of a run that was killed',
    onLinux,
    async () => {
      const ended = spawnSync(process.execPath, ['--version']).pid;
      const abandoned = `/dev/shm/watchword-run-${ended}-x`;
      await mkdir(abandoned);
      const file = `import { tmpdir } from 'node:os'; import { it } from 'node:test';
      it('runs', () => console.log('temporary:', tmpdir()));`;
      const { lines } = await runWith({ TMPDIR: undefined }, { 'test/a.test.ts': file });
      const used = lines.find((line) => line.includes('temporary: '))?.split(': ')[1] ?? '';
      assert.deepEqual([existsSync(abandoned), existsSync(used)], [false, used === '/tmp']);
    },
  );

  it('fails a file that cannot be loaded, has no test, or ends its process', async () => {
    const { code, lines } = await run({
      'packages/a/test/a.test.ts': 'throw new Error("no");',
      'packages/a/test/b.test.ts': '',
      'packages/b/test/a.test.ts': `import { it } from 'node:test'; it('ends', () => process.exit(0));`,
      'packages/b/test/b.test.ts': passing,
    });
    assert.equal(code, 1);
    for (const file of ['a/test/a', 'a/test/b', 'b/test/a']) {
      assert.ok(closing(lines).includes(`✖ packages/${file}.test.ts`), file);
    }
    assert.ok(lines.some((line) => line.startsWith('✔ packages/b/test/b.test.ts')));
  });

  it('fails a file in which an error occurs that no test catches, and prints the error', async () => {
    const { code, lines } = await run({
      'test/a.test.ts': `import { describe, it } from 'node:test';
        describe('sums', () => { it('ends', async () => {
          const caught = new Promise((resolve) => process.once('uncaughtException', resolve));
          setTimeout(() => { throw new Error('too late'); });
          await caught; }); });`,
      'test/b.test.ts': passing,
    });
    assert.deepEqual([code, closing(lines)[0]], [1, '✖ test/a.test.ts']);
    assert.ok(lines.includes('    uncaughtException: Error: too late'));
    assert.ok(lines.some((line) => line.startsWith('✔ test/b.test.ts')));
  });

  it('ends a test that blocks its process for too long, and names its file', async () => {
    const files = {
      'packages/a/test/a.test.ts': passing,
      'packages/a/test/b.test.ts': `import { it } from 'node:test';
        it('waits', () => { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });`,
      'test/a.test.ts': passing,
    };
    // The other tests run meanwhile: until the process has loaded its code, it can get no processor time for seconds.
    const { code, lines } = await runWith({ TEST_BLOCK_LIMIT: '10000' }, files, '--processes', '1');
    assert.equal(code, 1);
    assert.ok(lines.includes('    packages/a/test/b.test.ts has blocked the event loop for 10 seconds'));
    assert.ok(closing(lines).includes('✖ packages/a/test/b.test.ts'));
    assert.ok(lines.some((line) => line.startsWith('✔ test/a.test.ts')));
  });

  it('does not follow the promises of a test', async () => {
    const { code } = await run({
      'test/a.test.ts': `import assert from 'node:assert'; import { executionAsyncId } from 'node:async_hooks';
        import { it } from 'node:test';
        it('awaits', async () => {
          await 1; const first = executionAsyncId();
          await 1; assert.equal(executionAsyncId(), first); });`,
    });
    assert.equal(code, 0);
  });

  it('fails without tests, for example for a misspelt path', async () => {
    const { code, lines } = await run({ 'packages/a/test/a.test.ts': passing }, 'package/a');
    assert.deepEqual([code, lines.at(-1)], [1, '0 passed, 0 failed, 0 skipped']);
  });

  for (const [what, statement] of [
    ['the working directory', "process.chdir('/');"],
    ['the environment variable A_NAME', "process.env.A_NAME = 'x';"],
    ['the global aName', 'globalThis.aName = 1;'],
  ] as const) {
    it(`fails a file that has changed ${what}, and puts it back for the files after it`, async () => {
      const file = `import assert from 'node:assert'; import { it } from 'node:test';
        it('changes it', () => { assert.ok(process.cwd() !== '/' && !process.env.A_NAME && !globalThis.aName);
          ${statement} });`;
      const { code, lines } = await run(
        { 'test/a.test.ts': file, 'test/b.test.ts': file },
        '--processes',
        '1',
      );
      assert.equal(code, 1);
      assert.equal(lines.filter((line) => line === `    the file has changed ${what}`).length, 2);
      assert.deepEqual(closing(lines).slice(0, 2).toSorted(), ['✖ test/a.test.ts', '✖ test/b.test.ts']);
      assert.equal(lines.at(-1), '2 passed, 2 failed, 0 skipped');
    });
  }

  for (const [what, statement] of [
    ['TCPServerWrap', "await new Promise((resolve) => createServer().listen(0, '127.0.0.1', resolve));"],
    ['Timeout', 'setInterval(() => {}, 1000);'],
  ] as const) {
    it(`fails a file that has left open: ${what}`, async () => {
      const { code, lines } = await run({
        'test/a.test.ts': `import { createServer } from 'node:net'; import { it } from 'node:test';
          it('opens it', async () => { ${statement} }); it('ends later', () => { setTimeout(() => {}, 100); });`,
      });
      assert.ok(lines.includes(`    the file has left open: 1 × ${what}`));
      assert.deepEqual([code, lines.at(-1)], [1, '2 passed, 1 failed, 0 skipped']);
    });
  }

  it('runs files one after the other in a process, and keeps the hooks at the top of a file to that file', async () => {
    const file = `import { after, before, it } from 'node:test';
        before(() => { if (globalThis.isOpen) throw new Error(); globalThis.isOpen = true; });
        after(() => { delete globalThis.isOpen; });
        it('is open', () => { console.log('process:', process.pid); if (!globalThis.isOpen) throw new Error(); });`;
    const { code, lines } = await run({ 'test/a.test.ts': file, 'test/b.test.ts': file });
    const processes = lines.filter((line) => line.startsWith('    process: '));
    assert.deepEqual([code, processes.length, new Set(processes).size], [0, 2, 1]);
  });

  it('leaves out slow files, unless all are asked for, or they are named', async () => {
    const files = { 'test/a.test.ts': passing, 'test/b.slow.test.ts': passing };
    const passed = async (...args: string[]) => (await run(files, ...args)).lines.at(-1);
    assert.equal(await passed(), '1 passed, 0 failed, 1 skipped');
    assert.equal(await passed('--all'), '2 passed, 0 failed, 2 skipped');
    assert.equal(await passed('test/b'), '1 passed, 0 failed, 1 skipped');
  });

  it('runs more rounds of random tests with --soak', async () => {
    const file = `import { it } from 'node:test'; it('soaks', () => { if (!process.env.TEST_SOAK) throw new Error(); });`;
    assert.equal((await run({ 'test/a.test.ts': file }, '--soak')).code, 0);
    assert.equal((await run({ 'test/a.test.ts': file })).code, 1);
  });
});
