// `npm run test:rules [-- --all] [-- --soak] [-- --postgresql] [-- --processes 1] [-- path …]`: runs the tests that are not slow, or
// all in the files whose paths begin with an argument. The slow ones run with `--all`, and with `--soak`, which repeats random
// tests more often, and `--postgresql`, which gives the tests that have a database one of PostgreSQL. `--beside program` runs
// a program meanwhile, whose failure fails the run.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { offerPostgresqlServer } from '../../packages/testkit/src/postgresql.ts';
import { bundleProgram } from './bundled-program.ts';
import { memoryDirectory } from './memory-directory.ts';
import { runBeside } from './program-beside.ts';
import { Report } from './report.ts';
import { hasDatabase, shareOut, testFiles } from './test-files.ts';
import { TestProcess } from './test-process.ts';

const root = process.cwd();

// Loading the code takes longer than most tests, so that the files take turns in processes that have loaded it.
// Two processes for each processor, because tests wait for browsers and other processes. Each further one takes ten seconds of the
// processors to load and to compile the code, which is what they were idle for.
const usualProcesses = 2 * availableParallelism();

const { values, positionals } = parseArgs({
  options: {
    all: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
    postgresql: { type: 'boolean', default: false },
    beside: { type: 'string' },
    processes: { type: 'string', default: String(usualProcesses) },
  },
  allowPositionals: true,
});
// rounds() of the testkit reads the first, watchedPage() of the server testkit the second.
if (values.soak) process.env.TEST_SOAK = '1';
else process.env.TEST_PICTURES = 'none';
// server-testkit/engine.ts reads it.
if (values.postgresql) process.env.TEST_DATABASE = 'postgresql';

// hasThreads() reads it: runs that take their time leave nothing out.
if (values.all || values.soak) process.env.TEST_THREADS = 'all';

const withSlow = values.all || values.soak || values.postgresql;
// slowTest() of the testkit reads it.
if (!withSlow && positionals.length === 0) process.env.TEST_SLOW = 'none';
const files = testFiles(root, positionals, withSlow).filter(
  (file) => !values.postgresql || hasDatabase(file),
);
const report = new Report((text) => console.log(text));
await using temporary = process.env.TMPDIR === undefined ? await memoryDirectory() : undefined;
if (temporary !== undefined) process.env.TMPDIR = temporary.path;
const beside = runProgram();
await using _postgresql = await offerPostgresqlServer();
const isBundled = process.env.TEST_PROGRAM === undefined && files.some(hasDatabase);
await using program = isBundled ? await bundleProgram() : undefined;
// server-testkit/process.ts reads it.
if (program !== undefined) process.env.TEST_PROGRAM = program.bin;
await Promise.all([runFiles(shareOut(files, Number(values.processes))), beside]);
process.exitCode = report.close() ? 0 : 1;

async function runProgram(): Promise<void> {
  if (values.beside !== undefined) report.addProgram(await runBeside(root, values.beside));
}

/** One process loads the code before the others start, beside the other program: each would compile what is not compiled yet. */
async function runFiles(shares: readonly (() => string | undefined)[]): Promise<void> {
  const first = files.some(hasDatabase) ? new TestProcess(root, true) : undefined;
  await first?.load();
  await Promise.all(shares.map((next, index) => runShare(next, index === 0 ? first : undefined)));
}

async function runShare(next: () => string | undefined, started?: TestProcess): Promise<void> {
  let shared = started;
  for (let file = next(); file !== undefined; file = next()) {
    shared ??= new TestProcess(root);
    report.add(await shared.run(file));
    if (shared.hasEnded) shared = undefined;
  }
  const failure = await shared?.end();
  if (failure !== undefined) report.add(failure);
}
