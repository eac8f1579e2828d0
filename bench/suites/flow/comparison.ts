import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOf, registerClient, startWarm, untilKnown } from '../../contestants/checkouts.ts';
import { type ServerProcess, watchword } from '../../contestants/server-process.ts';
import { type FlowClient, type FlowServer, flowLoad, type IdTokenAlgorithm } from '../../load/flow-load.ts';
import type { Load } from '../../load/pace.ts';
import { type ThreadKind, threadKinds } from '../../measure/processor-time.ts';
import { median, shown, spreadOf } from '../../measure/statistics.ts';
import { inOrder, reportProcessorTime } from '../../rounds/checkout-comparison.ts';
import { connections, watchwordFlows } from '../../rounds/loads.ts';
import { threadTimes } from '../../rounds/report.ts';
import { machine, microsecondsEach } from '../../rounds/rounds.ts';

// Two processes of the same code differ by several percent for as long as they run, so each side is started anew many times.
const starts = 6;
// Many short rounds: the difference is small, and other work on the machine changes from second to second.
const roundsEach = 10;
const durationMs = 500;
// By number and not by time: code that is not compiled yet takes several times as long, and other work on the machine delays it.
const warmUpFlows = 3000;

const redirectUri = 'https://client.example/callback';
const scope = 'read';

interface Side {
  readonly name: string;
  readonly command: string;
  readonly measured: Measurement[];
}

interface Started {
  readonly process: ServerProcess;
  readonly server: FlowServer;
  readonly client: FlowClient;
}

type Measurement = Load & {
  readonly megabytes: number;
  readonly cpuMicroseconds: number;
  /** Microseconds of processor time a flow. */
  readonly threads: ReadonlyMap<ThreadKind, number>;
};

/**
 * Whole authorization code flows of this checkout and of another, in turn.
 *
 * @param algorithm of ID tokens, if each flow ends with one
 */
export async function compareFlows(checkout: string, algorithm?: IdTokenAlgorithm): Promise<void> {
  const now: Side = { name: 'now', command: watchword, measured: [] };
  const before: Side = { name: 'before', command: commandOf(checkout), measured: [] };
  console.log(await machine());
  console.log(
    `${connections} flows at a time, ${starts} starts of ${roundsEach} rounds of ${durationMs / 1000} s each, medians\n`,
  );
  for (let number = 0; number < starts; number += 1) await measureStart([now, before], number, algorithm);
  for (const side of [now, before]) report(side);
  const compareTime = (what: string, timeOf: (measurement: Measurement) => number) =>
    reportProcessorTime(what, now.measured.map(timeOf), before.measured.map(timeOf));
  compareTime('flow', (each) => each.cpuMicroseconds);
  const ratios = now.measured.map(
    (each, round) => each.cpuMicroseconds / (before.measured[round]?.cpuMicroseconds ?? Number.NaN),
  );
  const ofStarts = Array.from({ length: starts }, (_, number) =>
    median(ratios.slice(number * roundsEach, (number + 1) * roundsEach)).toFixed(3),
  );
  console.log(`median of ratios of each start: ${ofStarts.join(', ')}`);
  for (const kind of threadKinds) compareTime(`${kind} threads`, (each) => each.threads.get(kind) ?? 0);
}

async function measureStart(
  sides: readonly Side[],
  number: number,
  algorithm: IdTokenAlgorithm | undefined,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const started = new Map<Side, Started>();
  try {
    for (const side of inOrder(sides, number)) started.set(side, await start(directory, side, algorithm));
    for (const each of started.values()) await warmUp(each);
    for (let round = 0; round < roundsEach; round += 1) {
      for (const side of inOrder(sides, round)) {
        const each = started.get(side);
        if (each !== undefined) side.measured.push(await measure(each));
      }
    }
  } finally {
    await Promise.all([...started.values()].map(({ process }) => process.stop()));
    await rm(directory, { recursive: true });
  }
}

async function start(
  directory: string,
  { name, command }: Side,
  algorithm: IdTokenAlgorithm | undefined,
): Promise<Started> {
  const flags = algorithm === undefined ? [] : ['--signing-algorithms', algorithm];
  const { process, database } = await startWarm(directory, name, command, flags);
  const registered = await registerClient(command, database, ['--redirect-uri', redirectUri]);
  const client = { ...registered, redirectUri, scope, ...(algorithm && { idTokenAlgorithm: algorithm }) };
  const server = watchwordFlows(process.port);
  await untilKnown(() => flowLoad(server, client, { concurrency: 1, durationMs: 1 }));
  return { process, server, client };
}

async function warmUp({ server, client }: Started): Promise<void> {
  let flows = 0;
  while (flows < warmUpFlows) {
    flows += (await flowLoad(server, client, { concurrency: connections, durationMs })).done;
  }
}

async function measure({ process, server, client }: Started): Promise<Measurement> {
  const before = process.threadSeconds();
  const load = await flowLoad(server, client, { concurrency: connections, durationMs });
  const threads = microsecondsEach(before, process.threadSeconds(), load.done);
  const cpuMicroseconds = [...threads.values()].reduce((sum, each) => sum + each, 0);
  return { ...load, cpuMicroseconds, threads, megabytes: process.memory() };
}

function report({ name, measured }: Side): void {
  const of = (field: 'perSecond' | 'p50' | 'p99' | 'cpuMicroseconds' | 'megabytes', digits = 1) =>
    shown(spreadOf(measured.map((measurement) => measurement[field])), digits);
  console.log(
    [
      name.padEnd(8),
      `${of('perSecond', 0)} flows/s`,
      `p50 ${of('p50')} ms`,
      `p99 ${of('p99')} ms`,
      `${of('cpuMicroseconds', 0)} us of processor each (${threadTimes(measured)})`,
      `${of('megabytes', 0)} MB`,
    ].join('  '),
  );
}
