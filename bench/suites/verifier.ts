import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTokenVerifier, type TokenVerifier } from '@watchword/resource-server';
import { type ServerProcess, startWatchword } from '../contestants/server-process.ts';
import { median } from '../measure/statistics.ts';
import { benchJwts } from './verifier/jwts.ts';

const rounds = 5;
const callsPerRound = 2_000_000;
const distinctTokens = 1000;
const concurrentRequests = 10_000;

/**
 * `npm run bench -- verifier`: cached verification on one core, and lookups that reach the real server when many
 * requests come at once.
 */
export async function benchVerifier(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const server = await startWatchword(directory);
  try {
    console.log(`${cpus().length} x ${cpus()[0]?.model}, Node.js ${process.version}\n`);
    const verifier = createTokenVerifier({
      tokenInfoUrl: `http://127.0.0.1:${server.port}/v1/tokeninfo`,
      key: 'demo-resource-server',
      secret: 'demo-resource-server-secret',
    });
    const tokens = await issueTokens(server.port);
    await countLookups(server, verifier, tokens);
    for (const count of [1, distinctTokens]) await timeCached(verifier, tokens.slice(0, count));
    await benchJwts();
  } finally {
    await server.stop();
    await rm(directory, { recursive: true });
  }
}

async function countLookups(
  server: ServerProcess,
  { verify }: TokenVerifier,
  tokens: readonly string[],
): Promise<void> {
  const before = await tokenInfoRequests(server.port);
  const start = performance.now();
  await Promise.all(
    Array.from({ length: concurrentRequests }, (_, index) => verify(tokens[index % tokens.length] as string)),
  );
  const milliseconds = performance.now() - start;
  const requests = (await tokenInfoRequests(server.port)) - before;
  console.log(
    `${concurrentRequests} concurrent requests with ${tokens.length} tokens: ${requests} calls reached the server, ` +
      `${milliseconds.toFixed(0)} ms`,
  );
  if (requests !== tokens.length) throw new Error(`expected ${tokens.length} calls, counted ${requests}`);
}

/** One after the other, each awaited, as a single request handler does. */
async function timeCached({ verify }: TokenVerifier, tokens: readonly string[]): Promise<void> {
  const rates: number[] = [];
  const nanoseconds: number[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const start = performance.now();
    const cpuStart = process.cpuUsage();
    for (let call = 0; call < callsPerRound; call += 1) await verify(tokens[call % tokens.length] as string);
    const { user, system } = process.cpuUsage(cpuStart);
    // The first round warms up.
    if (round === 0) continue;
    rates.push((callsPerRound * 1000) / (performance.now() - start));
    nanoseconds.push(((user + system) * 1000) / callsPerRound);
  }
  console.log(
    `cached verification, ${tokens.length} tokens: ${median(rates).toFixed(0)}/s ` +
      `(${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)}), ` +
      `${median(nanoseconds).toFixed(0)} ns of processor each`,
  );
}

async function issueTokens(port: number): Promise<string[]> {
  const tokens: string[] = [];
  while (tokens.length < distinctTokens) {
    const answer = await fetch(`http://127.0.0.1:${port}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('demo-service:demo-service-secret')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    tokens.push(((await answer.json()) as { access_token: string }).access_token);
  }
  return tokens;
}

/** As the server counts them itself. */
async function tokenInfoRequests(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const counts = metrics.matchAll(/^watchword_http_request_duration_seconds_count\{.*tokeninfo.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
