import { run } from 'node:test';
import type { TestEvent } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { type FileResult, GroupResults } from './group-results.ts';
import type { Group } from './groups.ts';

const sharedProcess = fileURLToPath(new URL('./shared-process.ts', import.meta.url));

/** Milliseconds until a test fails. */
const testTimeout = 120_000;

/** Megabytes. With room for young objects, tests need a tenth less processor time: most of what they make is soon garbage. */
const youngGeneration = ['--min-semi-space-size=32', '--max-semi-space-size=32'];

/** Runs the files of a group, with paths from the root, in one process. Returns each result when it is complete. */
export async function* runGroup(root: string, group: Group): AsyncGenerator<FileResult> {
  const results = new GroupResults(group);
  const events: AsyncIterable<TestEvent> = run({
    files: [sharedProcess],
    argv: group,
    execArgv: ['--conditions=source', `--test-timeout=${testTimeout}`, ...youngGeneration],
    cwd: root,
  });
  for await (const event of events) {
    const finished = results.take(event);
    if (finished !== undefined) yield finished;
  }
  yield* results.missing();
}
