import { readdirSync, readFileSync } from 'node:fs';

/** Processor time in seconds that a running process has used. */
export function processorSeconds(processId: number): number {
  return [...threadSeconds(processId).values()].reduce((sum, each) => sum + each, 0);
}

/**
 * What the threads of a Node.js process do: requests; queries of SQLite or another worker thread; garbage collection and
 * compilation; cryptography and files in the thread pool.
 */
export const threadKinds = ['main', 'worker', 'V8', 'pool'] as const;

export type ThreadKind = (typeof threadKinds)[number];

const kindByName: Readonly<Record<string, ThreadKind>> = {
  'node-V8Worker': 'V8',
  'libuv-worker': 'pool',
  WorkerThread: 'worker',
};

/** Processor time in seconds that the threads of a running Node.js process have used, by their kind. */
export function threadSeconds(processId: number): ReadonlyMap<ThreadKind, number> {
  const threads = `/proc/${processId}/task`;
  const seconds = new Map<ThreadKind, number>();
  for (const thread of readdirSync(threads)) {
    const name = readFileSync(`${threads}/${thread}/comm`, 'utf8').trim();
    const kind = kindByName[name] ?? 'main';
    // Nanoseconds. The file `stat` of the process counts in ticks of 10 ms.
    const used = Number.parseInt(readFileSync(`${threads}/${thread}/schedstat`, 'utf8'), 10) / 1e9;
    seconds.set(kind, (seconds.get(kind) ?? 0) + used);
  }
  return seconds;
}

const ticksPerSecond = 100;

/** Processor time in seconds that a process and its children have used, those that have ended included. */
export function familySeconds(processId: number): number {
  const [, childrenUser = 0, childrenSystem = 0] = statOf(processId) ?? [];
  let seconds = processorSeconds(processId) + (childrenUser + childrenSystem) / ticksPerSecond;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name) || statOf(Number(name))?.[0] !== processId) continue;
    try {
      seconds += processorSeconds(Number(name));
    } catch {} // It has ended since.
  }
  return seconds;
}

/** The parent of a process, and the ticks that its ended children have used; `undefined` if it has ended. */
function statOf(processId: number): readonly [parent: number, user: number, system: number] | undefined {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
    // The name in parentheses can contain spaces. Fields are counted from the third one, the state.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    return [fields[1] ?? 0, fields[13] ?? 0, fields[14] ?? 0];
  } catch {
    return undefined;
  }
}
