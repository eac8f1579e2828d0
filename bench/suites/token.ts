import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServerProcess, startBareServer, startWatchword } from '../contestants/server-process.ts';
import { httpLoad } from '../load/http-load.ts';
import { issueTokens, sampleAnswer, tokenInfoRequest, tokenRequest } from '../load/token-requests.ts';
import { median } from '../measure/statistics.ts';
import { compareTokens } from './token/comparison.ts';

const rounds = 5;
const warmUpMs = 2000;
const durationMs = 5000;
const connections = 64;
const distinctTokens = 5000;

interface Measurement {
  readonly requestsPerSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpuMicroseconds: number;
  readonly memory: number;
}

/**
 * Token issue and token info, against a bare `node:http` server that answers the same bytes: both in one
 * run, in turn, from one generator. The database is a file with `synchronous=FULL`.
 *
 * @param args the directory of another checkout, to compare its processor time instead
 */
export async function benchToken([before]: readonly string[]): Promise<void> {
  if (before === undefined) await compareWithBareServer();
  else await compareTokens(before);
}

async function compareWithBareServer(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  // The first start of a checkout fills the compile cache; what is measured is every start after it.
  await (await startWatchword(directory, 'warm-up.db')).stop();
  const server = await startWatchword(directory);
  try {
    console.log(`${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}`);
    console.log(`${connections} connections, ${rounds} rounds of ${durationMs / 1000} s each, medians\n`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const idle = server.memory();
    await compare('token issue', server, () => tokenRequest(server.port));
    const tokens = await issueTokens(server.port, distinctTokens, connections);
    let next = 0;
    await compare('token info', server, () => {
      next = (next + 1) % tokens.length;
      return tokenInfoRequest(server.port, tokens[next] as string);
    });
    console.log(`idle memory ${idle.toFixed(0)} MB, after the load ${server.memory().toFixed(0)} MB`);
  } finally {
    await server.stop();
    await rm(directory, { recursive: true });
  }
}

async function compare(name: string, server: ServerProcess, nextRequest: () => Buffer): Promise<void> {
  const bare = await startBareServer(await sampleAnswer(nextRequest(), server.port));
  const measured: { bare: Measurement[]; watchword: Measurement[] } = { bare: [], watchword: [] };
  try {
    await measure(bare, nextRequest, warmUpMs);
    await measure(server, nextRequest, warmUpMs);
    for (let round = 0; round < rounds; round += 1) {
      measured.bare.push(await measure(bare, nextRequest, durationMs));
      measured.watchword.push(await measure(server, nextRequest, durationMs));
    }
  } finally {
    await bare.stop();
  }
  report(`${name}, bare node:http`, measured.bare);
  report(`${name}, Watchword`, measured.watchword);
  const ratios = measured.watchword.map(
    ({ requestsPerSecond }, round) => requestsPerSecond / (measured.bare[round]?.requestsPerSecond ?? 0),
  );
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  console.log(`${name}: ratio ${median(ratios).toFixed(2)} (${range})\n`);
}

async function measure(
  server: ServerProcess,
  nextRequest: () => Buffer,
  forMs: number,
): Promise<Measurement> {
  const cpuBefore = server.cpuSeconds();
  const load = await httpLoad({ port: server.port, connections, durationMs: forMs, nextRequest });
  if (load.failures > 0) throw new Error(`${load.failures} of ${load.requests} requests failed`);
  return {
    requestsPerSecond: load.requestsPerSecond,
    p50: load.p50,
    p99: load.p99,
    cpuMicroseconds: ((server.cpuSeconds() - cpuBefore) * 1e6) / load.requests,
    memory: server.memory(),
  };
}

function report(name: string, measurements: readonly Measurement[]): void {
  const of = (field: keyof Measurement) => median(measurements.map((measurement) => measurement[field]));
  console.log(
    [
      name.padEnd(30),
      `${of('requestsPerSecond').toFixed(0).padStart(6)} requests/s`,
      `p50 ${of('p50').toFixed(2)} ms`,
      `p99 ${of('p99').toFixed(2)} ms`,
      `${of('cpuMicroseconds').toFixed(0)} us of processor each`,
      `${of('memory').toFixed(0)} MB`,
    ].join('  '),
  );
}
