/** `npm run bench -- <name>`: the benchmarks that the README quotes. Run by hand, never by the tests. */
const benchmarks: Readonly<Record<string, () => Promise<(args: readonly string[]) => Promise<void>>>> = {
  administration: async () => (await import('./administration.ts')).benchAdministration,
  cluster: async () => (await import('./cluster.ts')).benchCluster,
  endpoint: async () => (await import('./endpoint.ts')).benchEndpoint,
  flow: async () => (await import('./flow.ts')).benchFlow,
  growth: async () => (await import('./growth.ts')).benchGrowth,
  lookups: async () => (await import('./lookups.ts')).benchLookups,
  openid: async () => (await import('./openid.ts')).benchOpenid,
  purge: async () => (await import('./purge.ts')).benchPurge,
  saml: async () => (await import('./saml.ts')).benchSaml,
  token: async () => (await import('./token.ts')).benchToken,
  tracing: async () => (await import('./tracing.ts')).benchTracing,
  verifier: async () => (await import('./verifier.ts')).benchVerifier,
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
