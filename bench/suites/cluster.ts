import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDatabase } from '../contestants/postgresql.ts';
import { type ServerProcess, startFixedServer, startWatchword } from '../contestants/server-process.ts';
import { issueTokens, sampleAnswer, tokenInfoRequest, tokenRequest } from '../load/token-requests.ts';
import { connections, demoFlowLoad, requestLoad } from '../rounds/loads.ts';
import { type Contestant, machine, measureInRounds, roundMs, type Work } from '../rounds/rounds.ts';

const defaultRounds = 15;
const distinctTokens = 5000;

/**
 * Token issue, token info and whole authorization code flows with refresh tokens: one process over SQLite, one and two over one
 * PostgreSQL, and a bare `node:http` server that answers the bytes of token requests. All in one run, in turn, from one generator.
 * Both databases have each commit on disk before its answer.
 *
 * @param args how many rounds
 */
export async function benchCluster([rounds = String(defaultRounds)]: readonly string[]): Promise<void> {
  await using resources = new AsyncDisposableStack();
  const directory = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  resources.defer(() => rm(directory, { recursive: true }));
  const start = async (database: string) => {
    const process = await startWatchword(directory, database);
    resources.defer(() => process.stop());
    return process;
  };
  // The first start of a checkout fills the compile cache.
  await (await startWatchword(directory, 'warm-up.db')).stop();
  const database = resources.use(await startDatabase());
  const { url } = await database.createDatabase();
  const sqlite = await start('bench.db');
  const [one, other] = [await start(url), await start(url)];
  const servers = [
    { name: 'SQLite', processes: [sqlite] },
    { name: 'PostgreSQL, 1 process', processes: [one], database },
    { name: 'PostgreSQL, 2 processes', processes: [one, other], database },
  ];
  console.log(await machine(database));
  console.log(
    `${connections} connections to each process, ${rounds} rounds of ${roundMs / 1000} s each, medians\n`,
  );
  for (const [name, request] of [issuing, await asking(servers)]) {
    const port = sqlite.port;
    const bare = await startFixedServer('bare-server', await sampleAnswer(request(port)(), port));
    try {
      const contestants = [{ name: 'bare node:http', processes: [bare] }, ...servers];
      const load = ({ port }: ServerProcess, forMs: number) => requestLoad(port, forMs, request(port));
      await measureInRounds({ name, contestants, load }, Number(rounds), comparisons);
    } finally {
      await bare.stop();
    }
  }
  const flow: Work = {
    name: 'code flow',
    contestants: servers,
    load: ({ port }, forMs) => demoFlowLoad(port, forMs),
  };
  await measureInRounds(flow, Number(rounds), comparisons);
}

const comparisons = [
  ['PostgreSQL, 1 process', 'SQLite'],
  ['PostgreSQL, 2 processes', 'PostgreSQL, 1 process'],
] as const;

/** A kind of work, and what makes its next request for a server at a port. */
type RequestsOf = readonly [name: string, request: (port: number) => () => Buffer];

const issuing: RequestsOf = [
  'token issue',
  (port) => {
    const request = tokenRequest(port);
    return () => request;
  },
];

async function asking(servers: readonly Contestant[]): Promise<RequestsOf> {
  const tokens = new Map<number, readonly string[]>();
  for (const { port } of servers.flatMap(({ processes }) => processes)) {
    if (!tokens.has(port)) tokens.set(port, await issueTokens(port, distinctTokens, connections));
  }
  const [any = []] = tokens.values();
  return [
    'token info',
    (port) => {
      // The bare server answers any token.
      const own = tokens.get(port) ?? any;
      let next = 0;
      return () => {
        next = (next + 1) % own.length;
        return tokenInfoRequest(port, own[next] ?? '');
      };
    },
  ];
}
