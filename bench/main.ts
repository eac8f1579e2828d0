import { shown, writeChart } from './charts/write.ts';
import { saveResult } from './rounds/results.ts';

type Suite = (args: readonly string[]) => Promise<unknown>;

interface Benchmark {
  readonly summary: string;
  readonly load: () => Promise<Suite>;
}

/** `npm run bench -- <name>`: the tests never run these. */
const benchmarks: Readonly<Record<string, Benchmark>> = {
  token: {
    summary: 'token issue beside node:http, Fastify, oidc-provider and @node-oauth/oauth2-server',
    load: async () => (await import('./suites/token.ts')).benchToken,
  },
  info: {
    summary: 'token info beside node:http, Fastify, and introspection by oidc-provider',
    load: async () => (await import('./suites/info.ts')).benchInfo,
  },
  refresh: {
    summary: 'rotation of refresh tokens beside the servers of token',
    load: async () => (await import('./suites/refresh.ts')).benchRefresh,
  },
  flow: {
    summary: 'whole authorization code flows, with login and consent, beside oidc-provider',
    load: async () => (await import('./suites/flow.ts')).benchFlow,
  },
  openid: {
    summary:
      'flows with ID tokens beside oidc-provider, and access tokens that are JWTs, for three algorithms',
    load: async () => (await import('./suites/openid.ts')).benchOpenid,
  },
  cluster: {
    summary: 'SQLite, and one and two processes over one PostgreSQL',
    load: async () => (await import('./suites/cluster.ts')).benchCluster,
  },
  growth: {
    summary: 'databases with ten million tokens beside empty ones, and the bytes of each row',
    load: async () => (await import('./suites/growth.ts')).benchGrowth,
  },
  rows: {
    summary: 'the bytes and the log that logins and refreshes leave behind, over SQLite and PostgreSQL',
    load: async () => (await import('./suites/growth/rows.ts')).benchRows,
  },
  dpop: {
    summary: 'token issue and requests to an API with DPoP proofs beside bearer tokens, ES256 and EdDSA',
    load: async () => (await import('./suites/dpop.ts')).benchDpop,
  },
  verifier: {
    summary: 'the resource-server library: cached tokens, and JWTs beside crypto.verify',
    load: async () => (await import('./suites/verifier.ts')).benchVerifier,
  },
  endpoint: {
    summary: 'the request-options builder beside @octokit/endpoint, and hostile inputs',
    load: async () => (await import('./suites/endpoint.ts')).benchEndpoint,
  },
  administration: {
    summary: 'each list and each page of the administration over a large database',
    load: async () => (await import('./suites/administration.ts')).benchAdministration,
  },
  lists: {
    summary: 'first pages and searches of lists over 100,000 rows, over SQLite or PostgreSQL',
    load: async () => (await import('./suites/lists.ts')).benchLists,
  },
  'slow-network': {
    summary: 'the GUI in a browser that waits 400 ms for each answer and gets 50 kB/s',
    load: async () => (await import('./suites/slow-network.ts')).benchSlowNetwork,
  },
  accounts: {
    summary: 'an import of 50,000 accounts, its repetition, and one over the network; fails over 60 s',
    load: async () => (await import('./suites/accounts.ts')).benchAccounts,
  },
  configuration: {
    summary: 'a file of 10,000 clients is applied and planned, over SQLite and PostgreSQL; fails over 5 s',
    load: async () => (await import('./suites/configuration.ts')).benchConfiguration,
  },
  anonymous: {
    summary: 'each kind of expensive anonymous request; fails beyond its bound of processor time',
    load: async () => (await import('./suites/anonymous.ts')).benchAnonymous,
  },
  enumeration: {
    summary: 'answers for names and addresses that an account has, and that none has; fails over 5 ms apart',
    load: async () => (await import('./suites/enumeration.ts')).benchEnumeration,
  },
  revocations: {
    summary: 'other requests while twenty processes of an API ask for a long list of revocations',
    load: async () => (await import('./suites/revocations.ts')).benchRevocations,
  },
  saml: {
    summary: 'the signed metadata of a federation of 5,000 identity providers',
    load: async () => (await import('./suites/saml.ts')).benchSaml,
  },
  'test-server': {
    summary: 'starts of the server for tests, first and later ones of a process; fails over 200 ms',
    load: async () => (await import('./suites/test-server.ts')).benchTestServer,
  },
  purge: {
    summary: 'token requests while a million rows are deleted',
    load: async () => (await import('./suites/purge.ts')).benchPurge,
  },
  lookups: {
    summary: 'random tokens among ten million, by size of the page cache',
    load: async () => (await import('./suites/lookups.ts')).benchLookups,
  },
  tracing: {
    summary: 'token issue, token info and flows with traces off, and sent for several ratios',
    load: async () => (await import('./suites/tracing.ts')).benchTracing,
  },
};

const servers: readonly string[] = shown;
const args = process.argv.slice(2);
const saves = args.includes('--save');
const [name = '', ...ofSuite] = args.filter((each) => each !== '--save');
if (name === 'chart') {
  writeChart();
} else if (name === 'servers') {
  for (const each of servers) await run(each, []);
  if (saves) writeChart();
} else if (benchmarks[name] === undefined) {
  printNames();
  process.exitCode = 2;
} else {
  await run(name, ofSuite);
  if (saves && servers.includes(name)) writeChart();
}

async function run(name: string, args: readonly string[]): Promise<void> {
  const suite = await benchmarks[name]?.load();
  const result = await suite?.(args);
  if (!saves) return;
  if (typeof result !== 'object' || result === null) {
    throw new Error(`${name} has no result to save with these arguments`);
  }
  saveResult(name, result);
}

function printNames(): void {
  const line = (name: string, summary: string) => console.log(`  ${name.padEnd(16)}${summary}`);
  console.log('npm run bench -- [--save] <name> [arguments]\n');
  for (const [name, { summary }] of Object.entries(benchmarks)) line(name, summary);
  line('servers', `${servers.join(', ')}, one after the other`);
  line('chart', 'draws the chart from bench/results again');
  console.log('\n--save keeps the result in bench/results.');
}
