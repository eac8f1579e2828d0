/** `npm run bench -- <name>`: the benchmarks that the README quotes. Run by hand, never by the tests. */
const benchmarks: Readonly<Record<string, () => Promise<(args: readonly string[]) => Promise<void>>>> = {
  administration: async () => (await import('./suites/administration.ts')).benchAdministration,
  cluster: async () => (await import('./suites/cluster.ts')).benchCluster,
  endpoint: async () => (await import('./suites/endpoint.ts')).benchEndpoint,
  flow: async () => (await import('./suites/flow.ts')).benchFlow,
  growth: async () => (await import('./suites/growth.ts')).benchGrowth,
  lookups: async () => (await import('./suites/lookups.ts')).benchLookups,
  openid: async () => (await import('./suites/openid.ts')).benchOpenid,
  purge: async () => (await import('./suites/purge.ts')).benchPurge,
  saml: async () => (await import('./suites/saml.ts')).benchSaml,
  token: async () => (await import('./suites/token.ts')).benchToken,
  verifier: async () => (await import('./suites/verifier.ts')).benchVerifier,
};

const [name = '', ...args] = process.argv.slice(2);
const load = benchmarks[name];
if (load === undefined) {
  console.error(`npm run bench -- <${Object.keys(benchmarks).join(' | ')}>`);
  process.exitCode = 2;
} else {
  const run = await load();
  await run(args);
}
