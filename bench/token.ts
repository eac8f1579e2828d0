import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connections, requestLoad } from './loads.ts';
import { machine, measureInRounds, roundMs } from './rounds.ts';
import { type ServerProcess, startBareServer, startWatchword } from './server-process.ts';
import { compareTokens } from './token-comparison.ts';
import { issueTokens, sampleAnswer, tokenInfoRequest, tokenRequest } from './token-requests.ts';

const rounds = 15;
const distinctTokens = 5000;
const bareName = 'bare node:http';

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
    console.log(await machine());
    console.log(`${connections} connections, ${rounds} rounds of ${roundMs / 1000} s each, medians\n`);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const idle = server.memory();
    const issue = tokenRequest(server.port);
    await compare('token issue', server, () => issue);
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
  const contestants = [
    { name: bareName, processes: [bare] },
    { name: 'Watchword', processes: [server] },
  ];
  const load = ({ port }: ServerProcess, forMs: number) => requestLoad(port, forMs, nextRequest);
  try {
    await measureInRounds({ name, contestants, load }, rounds, [['Watchword', bareName]]);
  } finally {
    await bare.stop();
  }
}
