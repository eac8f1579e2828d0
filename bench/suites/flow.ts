import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  commandOf,
  inOrder,
  registerClient,
  reportProcessorTime,
  startWarm,
  untilKnown,
} from '../contestants/checkouts.ts';
import { type ServerProcess, startOidcProvider, watchword } from '../contestants/server-process.ts';
import {
  type FlowClient,
  type FlowLoadResult,
  type FlowServer,
  flowLoad,
  type IdTokenAlgorithm,
} from '../load/flow-load.ts';
import { type ThreadKind, threadKinds } from '../measure/processor-time.ts';
import { median } from '../measure/statistics.ts';
import { microsecondsEach, threadTimes } from '../rounds/rounds.ts';

/** Against another server few long rounds; against other code of ours many short ones, for the difference is small. */
const pace = {
  others: { rounds: 5, durationMs: 5000 },
  before: { rounds: 50, durationMs: 500 },
} as const;
// By number and not by time: code that is not compiled yet takes several times as long, and other work on the machine delays it.
const warmUpFlows = 3000;
const concurrency = 64;

const redirectUri = 'https://client.example/callback';
const scope = 'read';

interface Contestant {
  readonly name: string;
  readonly process: ServerProcess;
  readonly server: FlowServer;
  readonly client: FlowClient;
  readonly measured: Measurement[];
}

type Measurement = FlowLoadResult & {
  readonly cpuMicroseconds: number;
  /** Microseconds of processor time a flow. */
  readonly threads: ReadonlyMap<ThreadKind, number>;
  readonly memory: number;
};

/**
 * Whole authorization code flows, against oidc-provider: authorization request, login form, consent form, code,
 * token. All in one run, in turn, from one generator. Watchword has its database in a file with
 * `synchronous=FULL`; oidc-provider keeps everything in memory.
 *
 * @param args the directory of another checkout, to measure its code instead of oidc-provider; then the algorithm of ID tokens, if
 *   each flow shall end with one
 */
export async function benchFlow([before, algorithm]: readonly string[]): Promise<void> {
  const idTokenAlgorithm = algorithm as IdTokenAlgorithm | undefined;
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const contestants: Contestant[] = [];
  const { rounds, durationMs } = before === undefined ? pace.others : pace.before;
  try {
    const ours = await startOurs(directory, 'Watchword', watchword, idTokenAlgorithm);
    contestants.push(ours);
    if (before === undefined) {
      contestants.push(await startTheirs('two', ours.client), await startTheirs('one', ours.client));
    } else {
      contestants.push(await startOurs(directory, 'Watchword before', commandOf(before), idTokenAlgorithm));
    }
    console.log(`${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}`);
    console.log(`${concurrency} flows at a time, ${rounds} rounds of ${durationMs / 1000} s each, medians\n`);
    for (const contestant of contestants) await warmUp(contestant);
    for (let round = 0; round < rounds; round += 1) {
      for (const contestant of inOrder(contestants, round)) {
        contestant.measured.push(await measure(contestant, durationMs));
      }
    }
    for (const contestant of contestants) report(contestant);
    for (const contestant of contestants.slice(1)) compare(ours, contestant);
    if (before !== undefined) {
      const [now = [], then = []] = contestants.map(({ measured }) => measured);
      const compareTime = (what: string, timeOf: (measurement: Measurement) => number) =>
        reportProcessorTime(what, now.map(timeOf), then.map(timeOf));
      compareTime('flow', (each) => each.cpuMicroseconds);
      for (const kind of threadKinds) compareTime(`${kind} threads`, (each) => each.threads.get(kind) ?? 0);
    }
  } finally {
    await Promise.all(contestants.map((contestant) => contestant.process.stop()));
    await rm(directory, { recursive: true });
  }
}

async function startOurs(
  directory: string,
  name: string,
  command: string,
  idTokenAlgorithm?: IdTokenAlgorithm,
): Promise<Contestant> {
  const flags = idTokenAlgorithm === undefined ? [] : ['--signing-algorithms', idTokenAlgorithm];
  const { process, database } = await startWarm(directory, name, command, flags);
  const registered = await registerClient(command, database, ['--redirect-uri', redirectUri]);
  const client = { ...registered, redirectUri, scope, ...(idTokenAlgorithm && { idTokenAlgorithm }) };
  const server = { port: process.port, authorizePath: '/authorize', tokenPath: '/oauth2/token' };
  await untilKnown(() => flowLoad(server, client, { concurrency: 1, durationMs: 1 }));
  return { name, process, server, client, measured: [] };
}

async function startTheirs(interactions: 'one' | 'two', client: FlowClient): Promise<Contestant> {
  const process = await startOidcProvider([client], interactions);
  const server = { port: process.port, authorizePath: '/auth', tokenPath: '/token' };
  const name = `oidc-provider, ${interactions} interaction${interactions === 'two' ? 's' : ''}`;
  return { name, process, server, client, measured: [] };
}

async function warmUp({ server, client }: Contestant): Promise<void> {
  let flows = 0;
  while (flows < warmUpFlows) {
    flows += (await flowLoad(server, client, { concurrency, durationMs: 500 })).flows;
  }
}

async function measure({ process, server, client }: Contestant, forMs: number): Promise<Measurement> {
  const before = process.threadSeconds();
  const load = await flowLoad(server, client, { concurrency, durationMs: forMs });
  const threads = microsecondsEach(before, process.threadSeconds(), load.flows);
  return {
    ...load,
    cpuMicroseconds: [...threads.values()].reduce((sum, each) => sum + each, 0),
    threads,
    memory: process.memory(),
  };
}

function report({ name, measured }: Contestant): void {
  const of = (field: Exclude<keyof Measurement, 'threads'>) =>
    median(measured.map((measurement) => measurement[field]));
  console.log(
    [
      name.padEnd(31),
      `${of('flowsPerSecond').toFixed(0).padStart(5)} flows/s`,
      `${of('requestsPerFlow').toFixed(0)} requests each`,
      `p50 ${of('p50').toFixed(1)} ms`,
      `p99 ${of('p99').toFixed(1)} ms`,
      `${of('cpuMicroseconds').toFixed(0)} us of processor each (${threadTimes(measured)})`,
      `${of('memory').toFixed(0)} MB`,
    ].join('  '),
  );
}

function compare(ours: Contestant, theirs: Contestant): void {
  const ratios = (field: 'flowsPerSecond' | 'cpuMicroseconds') =>
    ours.measured.map((measurement, round) => measurement[field] / (theirs.measured[round]?.[field] ?? 0));
  const speed = ratios('flowsPerSecond');
  const range = `${Math.min(...speed).toFixed(2)} to ${Math.max(...speed).toFixed(2)}`;
  const processor = median(ratios('cpuMicroseconds')).toFixed(2);
  console.log(
    `against ${theirs.name}: ${median(speed).toFixed(2)} times the flows (${range}), ${processor} times the processor each`,
  );
}
