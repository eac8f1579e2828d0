// Run by mutant-process.ts: runs test files with one mutant at a time. The sources are loaded once, with all of their mutants, and
// a test file is loaded again for each run, so that a run takes no longer than its tests.
import { registerHooks } from 'node:module';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { resultOf } from '../runner/event-results.ts';
import { register, registered } from '../runner/promise-tracking.ts';
import type { RunAnswer, RunRequest } from './mutant-process.ts';

const { describe } = await import('node:test');

let active: number | undefined;
let reached = new Set<number>();
Object.assign(globalThis, {
  __mutant(id: number) {
    reached.add(id);
    return id === active;
  },
});

let errors = 0;
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, () => {
    errors += 1;
  });
}

/** Whether a test waited for nothing: node:test fails it, and this process can run no more. */
let isLast = false;
process.on('beforeExit', () => {
  isLast = true;
});

const sources = new Map<string, string>();
registerHooks({
  load(url, context, next) {
    const source = sources.get(url);
    return source === undefined
      ? next(url, context)
      : { format: 'module-typescript', source, shortCircuit: true };
  },
});

let runs = 0;
const channel = new Socket({ fd: 3 });
for await (const line of createInterface({ input: channel })) {
  // A test that waits for nothing ends the process.
  channel.unref();
  const answer = await run(JSON.parse(line) as RunRequest);
  channel.ref();
  channel.write(`${JSON.stringify(answer)}\n`);
}
process.exit();

async function run(request: RunRequest): Promise<RunAnswer> {
  active = request.active;
  reached = new Set();
  if ('sources' in request) {
    for (const [file, source] of request.sources) sources.set(pathToFileURL(file).href, source);
    try {
      for (const url of sources.keys()) await import(url);
    } catch (error) {
      console.error(error);
      process.exit();
    }
    return { failed: 0, reached: [...reached], isLast };
  }
  errors = 0;
  runs += 1;
  const name = `${request.test}?${runs}`;
  const tested = resultOf(name);
  register(() =>
    describe(name, () => import(`${pathToFileURL(request.test).href}?${runs}`).finally(registered)),
  );
  const { failures } = await tested;
  for (const { path, error } of failures) console.error(path.join(' › '), error);
  return { failed: failures.length + errors, reached: [...reached], isLast };
}
