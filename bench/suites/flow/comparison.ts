import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOf, registerClient, startWarm, untilKnown } from '../../contestants/checkouts.ts';
import { type ServerProcess, watchword } from '../../contestants/server-process.ts';
import { type FlowClient, type FlowServer, flowLoad, type IdTokenAlgorithm } from '../../load/flow-load.ts';
import type { Load } from '../../load/pace.ts';
import { type ThreadKind, threadKinds } from '../../measure/processor-time.ts';
import { shown, spreadOf } from '../../measure/statistics.ts';
import { inOrder, reportProcessorTime } from '../../rounds/checkout-comparison.ts';
import { connections, watchwordFlows } from '../../rounds/loads.ts';
import { threadTimes } from '../../rounds/report.ts';
import { machine, microsecondsEach } from '../../rounds/rounds.ts';

// Many short rounds: the difference is small, and other work on the machine changes from second to second.
const rounds = 50;
const durationMs = 500;
// By number and not by time: code that is not compiled yet takes several times as long, and other work on the machine delays it.
const warmUpFlows = 3000;

const redirectUri = 'https://client.example/callback';
const scope = 'read';

interface Side {
  readonly name: string;
  readonly process: ServerProcess;
  readonly server: FlowServer;
  readonly client: FlowClient;
  readonly measured: Measurement[];
}

type Measurement = Load & {
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
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const sides: Side[] = [];
  try {
    for (const [name, command] of [['now', watchword] as const, ['before', commandOf(checkout)] as const]) {
      sides.push(await start(directory, name, command, algorithm));
    }
    console.log(await machine());
    console.log(`${connections} flows at a time, ${rounds} rounds of ${durationMs / 1000} s each, medians\n`);
    for (const side of sides) await warmUp(side);
    for (let round = 0; round < rounds; round += 1) {
      for (const side of inOrder(sides, round)) side.measured.push(await measure(side));
    }
    for (const side of sides) report(side);
    const [now = [], before = []] = sides.map(({ measured }) => measured);
    const compareTime = (what: string, timeOf: (measurement: Measurement) => number) =>
      reportProcessorTime(what, now.map(timeOf), before.map(timeOf));
    compareTime('flow', (each) => each.cpuMicroseconds);
    for (const kind of threadKinds) compareTime(`${kind} threads`, (each) => each.threads.get(kind) ?? 0);
  } finally {
    await Promise.all(sides.map(({ process }) => process.stop()));
    await rm(directory, { recursive: true });
  }
}

async function start(
  directory: string,
  name: string,
  command: string,
  algorithm?: IdTokenAlgorithm,
): Promise<Side> {
  const flags = algorithm === undefined ? [] : ['--signing-algorithms', algorithm];
  const { process, database } = await startWarm(directory, name, command, flags);
  const registered = await registerClient(command, database, ['--redirect-uri', redirectUri]);
  const client = { ...registered, redirectUri, scope, ...(algorithm && { idTokenAlgorithm: algorithm }) };
  const server = watchwordFlows(process.port);
  await untilKnown(() => flowLoad(server, client, { concurrency: 1, durationMs: 1 }));
  return { name, process, server, client, measured: [] };
}

async function warmUp({ server, client }: Side): Promise<void> {
  let flows = 0;
  while (flows < warmUpFlows) {
    flows += (await flowLoad(server, client, { concurrency: connections, durationMs })).done;
  }
}

async function measure({ process, server, client }: Side): Promise<Measurement> {
  const before = process.threadSeconds();
  const load = await flowLoad(server, client, { concurrency: connections, durationMs });
  const threads = microsecondsEach(before, process.threadSeconds(), load.done);
  const cpuMicroseconds = [...threads.values()].reduce((sum, each) => sum + each, 0);
  return { ...load, cpuMicroseconds, threads };
}

function report({ name, process, measured }: Side): void {
  const of = (field: 'perSecond' | 'p50' | 'p99' | 'cpuMicroseconds', digits = 1) =>
    shown(spreadOf(measured.map((measurement) => measurement[field])), digits);
  console.log(
    [
      name.padEnd(8),
      `${of('perSecond', 0)} flows/s`,
      `p50 ${of('p50')} ms`,
      `p99 ${of('p99')} ms`,
      `${of('cpuMicroseconds', 0)} us of processor each (${threadTimes(measured)})`,
      `${process.memory().toFixed(0)} MB`,
    ].join('  '),
  );
}
