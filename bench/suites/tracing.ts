import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOf, registerClient, startWarm, untilKnown } from '../contestants/checkouts.ts';
import { type ServerProcess, watchword } from '../contestants/server-process.ts';
import { type FlowClient, flowLoad } from '../load/flow-load.ts';
import { issueTokens, tokenInfoRequest, tokenRequest } from '../load/token-requests.ts';
import { connections, requestLoad, watchwordFlows } from '../rounds/loads.ts';
import { machine, measureInRounds, roundMs, type Work } from '../rounds/rounds.ts';

const defaultRounds = 20;
const distinctTokens = 2000;
const redirectUri = 'https://client.example/callback';
const ratios = ['0.01', '0.1', '1'] as const;
// By number and not by time: code that is not compiled yet takes several times as long, and other work on the machine delays it.
const warmUps = { 'token issue': 30_000, 'token info': 30_000, 'code flow': 3000 } as const;
const kinds = ['token issue', 'token info', 'code flow'] as const;

interface TracedServer extends ServerProcess {
  readonly client: FlowClient;
  readonly issuing: Buffer;
  readonly asking: readonly Buffer[];
}

type Side = Work<TracedServer>['contestants'][number];

/**
 * Processor time of token issue, token info and code flows: without a receiver of traces, and with one for several ratios, in turn.
 *
 * @param args one of the kinds of work, or `all`; how many rounds; the directory of another checkout to load too, such as one from
 *   before traces
 */
export async function benchTracing(args: readonly string[]): Promise<void> {
  const [kind = 'all', rounds = String(defaultRounds), before] = args;
  await using resources = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  resources.defer(() => rm(directory, { recursive: true }));
  const receiver = resources.use(await startReceiver());
  const sides: Side[] = [];
  const add = async (name: string, flags: readonly string[], command = watchword) => {
    const { process, database } = await startWarm(directory, name.replaceAll('.', ''), command, flags);
    resources.defer(() => process.stop());
    sides.push({ name, processes: [await loaded(process, command, database)] });
  };
  if (before !== undefined) await add('before', [], commandOf(before));
  await add('off', []);
  for (const ratio of ratios) {
    await add(`ratio ${ratio}`, ['--tracing-endpoint', receiver.endpoint, '--tracing-ratio', ratio]);
  }
  console.log(await machine());
  console.log(`${connections} at a time, ${rounds} rounds of ${roundMs / 1000} s each, medians (range)\n`);
  const others = sides.map(({ name }) => name).filter((name) => name !== 'off');
  const comparisons = others.map((name): [string, string] => {
    return name === 'before' ? ['off', name] : [name, 'off'];
  });
  for (const name of kinds.filter((each) => kind === 'all' || each === kind)) {
    const work = { name, contestants: sides, load: loads[name] };
    for (const { processes } of sides) {
      for (const process of processes) await warmUp(name, process);
    }
    await measureInRounds<TracedServer>(work, Number(rounds), comparisons);
  }
  console.log(`the receiver got ${receiver.requests()} requests, ${(receiver.bytes() / 1e6).toFixed(0)} MB`);
  for (const { name, processes } of sides) {
    for (const { port } of processes) await reportSpans(name, port);
  }
}

/** Spans that were not sent cost less than those that were. */
async function reportSpans(name: string, port: number): Promise<void> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const spans = [...metrics.matchAll(/^watchword_trace_spans_total\{outcome="(\w+)"\} (\d+)$/gm)];
  if (spans.length === 0) return;
  console.log(`${name}: spans ${spans.map(([, outcome, count]) => `${outcome} ${count}`).join(', ')}`);
}

const loads: Readonly<Record<(typeof kinds)[number], Work<TracedServer>['load']>> = {
  'token issue': ({ port, issuing }, forMs) => requestLoad(port, forMs, () => issuing),
  'token info': ({ port, asking }, forMs) => {
    let next = 0;
    return requestLoad(port, forMs, () => {
      next = (next + 1) % asking.length;
      return asking[next] as Buffer;
    });
  },
  'code flow': ({ port, client }, durationMs) =>
    flowLoad(watchwordFlows(port), client, { concurrency: connections, durationMs }),
};

async function warmUp(kind: (typeof kinds)[number], process: TracedServer): Promise<void> {
  let done = 0;
  while (done < warmUps[kind]) done += (await loads[kind](process, 500)).done;
}

/** A server with a client and its tokens. */
async function loaded(process: ServerProcess, command: string, database: string): Promise<TracedServer> {
  const { port } = process;
  const service = await registerClient(command, database, ['--allow-client-credentials']);
  const app = await registerClient(command, database, ['--redirect-uri', redirectUri]);
  await untilKnown(() => issueTokens(port, 1, 1, service));
  const tokens = await issueTokens(port, distinctTokens, connections, service);
  return {
    ...process,
    client: { ...app, redirectUri, scope: 'read' },
    issuing: tokenRequest(port, service),
    asking: tokens.map((token) => tokenInfoRequest(port, token)),
  };
}

interface Receiver extends AsyncDisposable {
  readonly endpoint: string;
  requests(): number;
  bytes(): number;
}

/** Accepts spans and reads none of them, so that it costs little beside the servers. */
async function startReceiver(): Promise<Receiver> {
  const got = { requests: 0, bytes: 0 };
  const server = createServer((request, response) => {
    got.requests += 1;
    request.on('data', (part: Buffer) => {
      got.bytes += part.length;
    });
    request.on('end', () => response.setHeader('content-type', 'application/json').end('{}'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: () => got.requests,
    bytes: () => got.bytes,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
