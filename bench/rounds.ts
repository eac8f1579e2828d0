import { cpus } from 'node:os';
import { inOrder } from './checkouts.ts';
import type { BenchDatabase } from './postgresql.ts';
import { type ThreadKind, threadKinds } from './processor-time.ts';
import type { ServerProcess } from './server-process.ts';
import { median } from './statistics.ts';

const warmUpMs = 3000;
// Many short rounds: other work on the machine changes from second to second.
export const roundMs = 1000;

/** Processes that are loaded together. */
export interface Contestant<Process extends ServerProcess = ServerProcess> {
  readonly name: string;
  readonly processes: readonly Process[];
  readonly database?: BenchDatabase;
}

/** Of all processes of a contestant together. */
interface Measurement {
  readonly perSecond: number;
  /** Milliseconds, of the slower process. */
  readonly p50: number;
  readonly p99: number;
  /** Microseconds of processor time for each operation. */
  readonly server: number;
  readonly database: number;
  /** Microseconds of processor time of the threads of the server for each operation. */
  readonly threads: ReadonlyMap<ThreadKind, number>;
  /** Requests of each operation. */
  readonly requests: number;
}

export interface Load {
  readonly done: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /** Default: 1. */
  readonly requestsEach?: number;
}

/** One kind of work: loads one process for some milliseconds. */
export interface Work<Process extends ServerProcess = ServerProcess> {
  readonly name: string;
  readonly contestants: readonly Contestant<Process>[];
  load(process: Process, forMs: number): Promise<Load>;
}

/** What the figures were measured on. */
export async function machine(database?: BenchDatabase): Promise<string> {
  const [version] = (await database?.query('show server_version')) ?? [];
  const postgresql = version === undefined ? '' : `, PostgreSQL ${version.server_version}`;
  return `${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}${postgresql}`;
}

/** Measures all contestants in turn and prints medians with the range of the rates, and how those compare that are named. */
export async function measureInRounds<Process extends ServerProcess>(
  work: Work<Process>,
  rounds: number,
  comparisons: readonly (readonly [name: string, against: string])[],
): Promise<void> {
  const measured = await measureAll(work, rounds);
  console.log(work.name);
  for (const { name, database } of work.contestants) {
    report(name, measured.get(name) ?? [], database !== undefined);
  }
  for (const [name, against] of comparisons) {
    compare(`${name} / ${against}`, measured.get(name) ?? [], measured.get(against) ?? []);
  }
  console.log();
}

async function measureAll<Process extends ServerProcess>(
  work: Work<Process>,
  rounds: number,
): Promise<Map<string, Measurement[]>> {
  const measured = new Map(work.contestants.map(({ name }) => [name, [] as Measurement[]]));
  for (const contestant of work.contestants) await measure(work, contestant, warmUpMs);
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of inOrder(work.contestants, round)) {
      measured.get(contestant.name)?.push(await measure(work, contestant, roundMs));
    }
  }
  return measured;
}

async function measure<Process extends ServerProcess>(
  work: Work<Process>,
  { processes, database }: Contestant<Process>,
  forMs: number,
): Promise<Measurement> {
  const before = { threads: threadsOf(processes), database: database?.cpuSeconds() ?? 0 };
  const loads = await Promise.all(processes.map((process) => work.load(process, forMs)));
  const done = loads.reduce((sum, load) => sum + load.done, 0);
  const threads = microsecondsEach(before.threads, threadsOf(processes), done);
  return {
    perSecond: loads.reduce((sum, load) => sum + load.perSecond, 0),
    p50: Math.max(...loads.map(({ p50 }) => p50)),
    p99: Math.max(...loads.map(({ p99 }) => p99)),
    server: [...threads.values()].reduce((sum, each) => sum + each, 0),
    database: (((database?.cpuSeconds() ?? 0) - before.database) * 1e6) / done,
    threads,
    requests: median(loads.map(({ requestsEach = 1 }) => requestsEach)),
  };
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

/** Medians, such as `main 512, worker 101, V8 30, pool 2`. */
export function threadTimes(
  measured: readonly { readonly threads: ReadonlyMap<ThreadKind, number> }[],
): string {
  const of = (kind: ThreadKind) => median(measured.map(({ threads }) => threads.get(kind) ?? 0));
  return threadKinds.map((kind) => `${kind} ${of(kind).toFixed(of(kind) < 100 ? 1 : 0)}`).join(', ');
}

function report(name: string, measurements: readonly Measurement[], hasDatabase: boolean): void {
  const of = (field: Exclude<keyof Measurement, 'threads'>) =>
    median(measurements.map((each) => each[field]));
  const rates = measurements.map(({ perSecond }) => perSecond);
  const share = of('database') / (of('server') + of('database'));
  const parts = [
    name.padEnd(24),
    `${of('perSecond').toFixed(0).padStart(6)}/s (${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)})`,
    ...(of('requests') > 1 ? [`${of('requests').toFixed(0)} requests each`] : []),
    `p50 ${of('p50').toFixed(1)} ms`,
    `p99 ${of('p99').toFixed(1)} ms`,
    `server ${of('server').toFixed(1)} us of processor each (${threadTimes(measurements)})`,
  ];
  if (hasDatabase) parts.push(`database ${of('database').toFixed(1)} us (${(share * 100).toFixed(0)} %)`);
  console.log(parts.join('  '));
}

/** Medians of the ratios of each round, with the range of all rounds. */
function compare(name: string, these: readonly Measurement[], those: readonly Measurement[]): void {
  const shown = (value: (measurement: Measurement) => number) => {
    const all = these.map((each, round) => value(each) / value(those[round] as Measurement));
    return `${median(all).toFixed(2)} (${Math.min(...all).toFixed(2)} to ${Math.max(...all).toFixed(2)})`;
  };
  const main = ({ threads }: Measurement) => threads.get('main') ?? 0;
  const writer = ({ threads }: Measurement) => threads.get('worker') ?? 0;
  console.log(
    `${name}: processor time of the main thread ${shown(main)}, ` +
      `with the writer ${shown((each) => main(each) + writer(each))}, ` +
      `of the server ${shown(({ server }) => server)}, ` +
      `with the database ${shown(({ server, database }) => server + database)}, ` +
      `rate ${shown(({ perSecond }) => perSecond)}`,
  );
}
