import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOf, registerClient, startWarm, untilKnown } from '../../contestants/checkouts.ts';
import { type ServerProcess, watchword } from '../../contestants/server-process.ts';
import { tokenResponseOf } from '../../load/flow-load.ts';
import { httpLoad, type Requests } from '../../load/http-load.ts';
import { refreshTokens, rotations } from '../../load/rotations.ts';
import {
  issueTokens,
  type RegisteredClient,
  tokenInfoRequest,
  tokenRequest,
} from '../../load/token-requests.ts';
import { type ThreadKind, threadKinds } from '../../measure/processor-time.ts';
import { inOrder, reportProcessorTime } from '../../rounds/checkout-comparison.ts';
import { connections, demoApp, watchwordFlows } from '../../rounds/loads.ts';
import { microsecondsEach } from '../../rounds/rounds.ts';

// Many short rounds: the difference is small, and other work on the machine changes from second to second.
const rounds = 60;
const durationMs = 300;
const warmUpMs = 3000;
const distinctTokens = 2000;

interface Side {
  readonly process: ServerProcess;
  readonly requests: Readonly<Record<Kind, Requests>>;
  readonly measured: Readonly<Record<Kind, ReadonlyMap<ThreadKind, number>[]>>;
}

const kinds = ['token issue', 'token info', 'refresh'] as const;
type Kind = (typeof kinds)[number];

/** Processor time of token issue, token info and refresh, of this checkout and of another, in turn. */
export async function compareTokens(checkout: string): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const sides: Side[] = [];
  try {
    for (const [name, command] of [['now', watchword] as const, ['before', commandOf(checkout)] as const]) {
      const { process, database } = await startWarm(directory, name, command);
      sides.push(
        await sideOf(process, await registerClient(command, database, ['--allow-client-credentials'])),
      );
    }
    console.log(`${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}`);
    console.log(`${connections} connections, ${rounds} rounds of ${durationMs / 1000} s each, medians\n`);
    for (const kind of kinds) await compare(kind, sides);
  } finally {
    await Promise.all(sides.map((side) => side.process.stop()));
    await rm(directory, { recursive: true });
  }
}

async function sideOf(process: ServerProcess, client: RegisteredClient): Promise<Side> {
  const { port } = process;
  await untilKnown(() => issueTokens(port, 1, 1, client));
  const tokens = await issueTokens(port, distinctTokens, connections, client);
  const granted = await refreshTokens(connections, () => tokenResponseOf(watchwordFlows(port), demoApp));
  const request = tokenRequest(port, client);
  let next = 0;
  return {
    process,
    requests: {
      'token issue': { next: () => request },
      'token info': {
        next() {
          next = (next + 1) % tokens.length;
          return tokenInfoRequest(port, tokens[next] as string);
        },
      },
      refresh: rotations(port, granted, demoApp),
    },
    measured: { 'token issue': [], 'token info': [], refresh: [] },
  };
}

async function compare(kind: Kind, sides: readonly Side[]): Promise<void> {
  for (const side of sides) await measure(side, kind, warmUpMs);
  for (let round = 0; round < rounds; round += 1) {
    for (const side of inOrder(sides, round)) {
      side.measured[kind].push(await measure(side, kind, durationMs));
    }
  }
  const [now = [], before = []] = sides.map((side) => side.measured[kind]);
  const report = (what: string, of: (threads: ReadonlyMap<ThreadKind, number>) => number) =>
    reportProcessorTime(what, now.map(of), before.map(of));
  report(kind, (threads) => threadKinds.reduce((sum, each) => sum + (threads.get(each) ?? 0), 0));
  for (const each of threadKinds) report(`  ${each} threads`, (threads) => threads.get(each) ?? 0);
}

/** Microseconds of processor time of each kind of thread for each request. */
async function measure(
  { process, requests }: Side,
  kind: Kind,
  forMs: number,
): Promise<ReadonlyMap<ThreadKind, number>> {
  const start = process.threadSeconds();
  const { done } = await httpLoad({
    port: process.port,
    connections,
    durationMs: forMs,
    requests: requests[kind],
  });
  return microsecondsEach(start, process.threadSeconds(), done);
}
