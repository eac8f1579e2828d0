import { cpus } from 'node:os';
import type { BenchDatabase } from '../contestants/postgresql.ts';
import type { ServerProcess } from '../contestants/server-process.ts';
import type { Load } from '../load/pace.ts';
import { machineSeconds, shareOfOthers } from '../measure/other-work.ts';
import { processorSeconds, type ThreadKind, threadKinds } from '../measure/processor-time.ts';
import { median } from '../measure/statistics.ts';
import { inOrder } from './checkout-comparison.ts';
import type { Measured, Measurement } from './measured.ts';
import { report, reportRatios } from './report.ts';

const warmUpMs = 3000;
// Many short rounds: other work on the machine changes from second to second.
export const roundMs = 1000;
/** Of the highest rate that a contestant has just reached. */
const pacedShare = 0.7;

/** Processes that are loaded together. */
export interface Contestant<Process extends ServerProcess = ServerProcess> {
  readonly name: string;
  readonly processes: readonly Process[];
  readonly database?: BenchDatabase;
}

/** One kind of work: loads one process for some milliseconds. */
export interface Work<Process extends ServerProcess = ServerProcess> {
  readonly name: string;
  readonly contestants: readonly Contestant<Process>[];
  load(process: Process, forMs: number): Promise<Load>;
  /** The same at a fixed rate, for the latency below the highest rate. */
  paced?(process: Process, forMs: number, perSecond: number): Promise<Load>;
}

/** What the figures were measured on. */
export async function machine(database?: BenchDatabase): Promise<string> {
  const [version] = (await database?.query('show server_version')) ?? [];
  const postgresql = version === undefined ? '' : `, PostgreSQL ${version.server_version}`;
  return `${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}${postgresql}`;
}

/** Measures all contestants in turn and prints medians with their ranges, and how those compare that are named. */
export async function measureInRounds<Process extends ServerProcess>(
  work: Work<Process>,
  rounds: number,
  comparisons: readonly (readonly [name: string, against: string])[],
): Promise<readonly Measured[]> {
  const measured = await measureAll(work, rounds);
  console.log(work.name);
  for (const each of measured) report(each);
  for (const [name, against] of comparisons) {
    const [these, those] = [name, against].map((wanted) => measured.find((each) => each.name === wanted));
    if (these !== undefined && those !== undefined) reportRatios(these, those);
  }
  const others = median(measured.flatMap(({ rounds }) => rounds.map((round) => round.others)));
  console.log(`others used ${(others * 100).toFixed(0)} % of the machine meanwhile\n`);
  return measured;
}

async function measureAll<Process extends ServerProcess>(
  work: Work<Process>,
  rounds: number,
): Promise<readonly Measured[]> {
  const entries = work.contestants.map((contestant) => ({
    contestant,
    idleMemory: memoryOf(contestant),
    rounds: [] as Measurement[],
    paced: [] as Measurement[],
  }));
  for (const { contestant } of entries) {
    await measure(work, contestant, (process) => work.load(process, warmUpMs));
  }
  const { paced } = work;
  for (let round = 0; round < rounds; round += 1) {
    for (const entry of inOrder(entries, round)) {
      const { contestant } = entry;
      const highest = await measure(work, contestant, (process) => work.load(process, roundMs));
      entry.rounds.push(highest);
      if (paced === undefined) continue;
      // At once, because the speed of the machine changes: a rate of a minute ago can be more than the server can answer now.
      const rate = (pacedShare * highest.perSecond) / contestant.processes.length;
      entry.paced.push(await measure(work, contestant, (process) => paced(process, roundMs, rate)));
    }
  }
  return entries.map((entry) => ({
    ...entry,
    name: entry.contestant.name,
    hasDatabase: entry.contestant.database !== undefined,
    memory: memoryOf(entry.contestant),
  }));
}

async function measure<Process extends ServerProcess>(
  { contestants }: Work<Process>,
  contestant: Contestant<Process>,
  run: (process: Process) => Promise<Load>,
): Promise<Measurement> {
  const { processes, database } = contestant;
  const usage = () => ({
    threads: threadsOf(processes),
    database: database?.cpuSeconds() ?? 0,
    generator: processorSeconds(process.pid),
    ours: secondsOf(contestants),
    machine: machineSeconds(),
    now: performance.now(),
  });
  const before = usage();
  const loads = await Promise.all(processes.map(run)).catch((error) => {
    throw new Error(`${contestant.name} failed under load`, { cause: error });
  });
  const after = usage();
  const done = loads.reduce((sum, load) => sum + load.done, 0);
  const threads = microsecondsEach(before.threads, after.threads, done);
  const generator = after.generator - before.generator;
  return {
    perSecond: loads.reduce((sum, load) => sum + load.perSecond, 0),
    p50: Math.max(...loads.map(({ p50 }) => p50)),
    p99: Math.max(...loads.map(({ p99 }) => p99)),
    server: [...threads.values()].reduce((sum, each) => sum + each, 0),
    database: ((after.database - before.database) * 1e6) / done,
    generator: (generator * 1e6) / done,
    threads,
    requests: median(loads.map(({ requestsEach = 1 }) => requestsEach)),
    others: shareOfOthers(
      after.machine - before.machine,
      after.ours - before.ours + generator,
      (after.now - before.now) / 1000,
    ),
  };
}

/** Seconds of everything that is measured, also of what only waits. */
function secondsOf(contestants: readonly Contestant[]): number {
  const databases = new Set(contestants.flatMap(({ database }) => database ?? []));
  const servers = contestants.flatMap(({ processes }) => processes);
  return [...servers, ...databases].reduce((sum, each) => sum + each.cpuSeconds(), 0);
}

function memoryOf({ processes }: Contestant): number {
  return processes.reduce((sum, process) => sum + process.memory(), 0);
}

/** Seconds of the threads of all processes. */
function threadsOf(processes: readonly ServerProcess[]): ReadonlyMap<ThreadKind, number> {
  const all = processes.map((process) => process.threadSeconds());
  const sum = (kind: ThreadKind) => all.reduce((total, threads) => total + (threads.get(kind) ?? 0), 0);
  return new Map(threadKinds.map((kind) => [kind, sum(kind)]));
}

/** @returns microseconds of each kind of threads for each operation */
export function microsecondsEach(
  before: ReadonlyMap<ThreadKind, number>,
  after: ReadonlyMap<ThreadKind, number>,
  done: number,
): ReadonlyMap<ThreadKind, number> {
  const each = (kind: ThreadKind) => (((after.get(kind) ?? 0) - (before.get(kind) ?? 0)) * 1e6) / done;
  return new Map(threadKinds.map((kind) => [kind, each(kind)]));
}
