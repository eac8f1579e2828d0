import { figures } from '../../../bench/charts/figures.ts';
import { savedResults } from '../../../bench/charts/write.ts';

/** What the kept results of the benchmarks say. */
export function figureReference(): string {
  return `# Figures

![Requests a second of Watchword and of other servers, for token issue, token info, refresh and authorization code flows](bench/results/servers.svg)

\`npm run bench -- --save servers\` measures real servers in turn, from one generator. Watchword has all features on and its database on disk with
\`synchronous=FULL\`. \`node:http\` and Fastify answer fixed bytes. oidc-provider and \`@node-oauth/oauth2-server\` keep everything in
memory; the latter has no token info and no login pages. [The benchmarks](bench/README.md) explain how they measure.

${figures(savedResults())}
`;
}
