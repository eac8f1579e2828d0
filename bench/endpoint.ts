import { endpoint as octokit } from '@octokit/endpoint';
import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';
import { endpoint, expandTemplate } from '@watchword/endpoint';
import {
  HOSTILE_INPUTS,
  HOSTILE_LENGTH,
  HOSTILE_PATTERNS,
  hostileText,
} from '@watchword/testkit/hostile-inputs';
import { bench, do_not_optimize, run, summary } from 'mitata';

const GET = 'GET /repos/{owner}/{repo}/issues';
const POST = 'POST /repos/{owner}/{repo}/issues';
const TEMPLATE = '/repos{/owner,repo}/issues{?state,labels*,per_page}';
const VARIABLES = {
  owner: 'octocat',
  repo: 'hello-world',
  state: 'open',
  labels: ['bug', 'help wanted'],
  per_page: 50,
};

type Build = (route: string, parameters: object) => object;

/** The three calls in which this package is measured against `@octokit/endpoint`. */
function calls(build: Build, withDefaults: Build): Readonly<Record<string, () => unknown>> {
  return {
    'GET with path and query': () =>
      build(GET, { owner: 'octocat', repo: 'hello-world', state: 'open', labels: 'bug', per_page: 50 }),
    'POST with a JSON body': () =>
      build(POST, {
        owner: 'octocat',
        repo: 'hello-world',
        title: 'It broke',
        labels: ['bug', 'help wanted'],
      }),
    'GET through two levels of defaults()': () => withDefaults(GET, { state: 'open' }),
  };
}

const OUTER = { headers: { authorization: 'token 1' }, owner: 'octocat' };
const INNER = { repo: 'hello-world', per_page: 50 };

function benchCalls(): void {
  const ours = calls(endpoint as Build, endpoint.defaults(OUTER).defaults(INNER) as Build);
  const theirs = calls(octokit as Build, octokit.defaults(OUTER).defaults(INNER) as Build);
  // A first call that is slow, being cold, makes mitata time each call alone from then on, its clock included.
  for (const call of [...Object.values(ours), ...Object.values(theirs)]) {
    for (let times = 0; times < 10_000; times++) do_not_optimize(call());
  }
  for (const [name, call] of Object.entries(ours)) {
    summary(() => {
      bench(`@watchword/endpoint: ${name}`, () => do_not_optimize(call())).baseline(true);
      bench(`@octokit/endpoint: ${name}`, () => do_not_optimize(theirs[name]?.()));
    });
  }
}

function benchTemplates(): void {
  summary(() => {
    bench('@watchword/endpoint: template', () =>
      do_not_optimize(expandTemplate(TEMPLATE, VARIABLES)),
    ).baseline(true);
    bench('std-uritemplate: template', () => do_not_optimize(StdUriTemplate.expand(TEMPLATE, VARIABLES)));
  });
}

/** Milliseconds, the median of five runs. */
function medianTime(run: () => unknown): number {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    try {
      run();
    } catch {} // an error is a fine answer; only the time counts
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[2] ?? 0;
}

/** Every input of the package, one after the other, filled with 100,000 hostile characters; the slowest one counts. */
function timeHostileInputs(): void {
  const times: { input: string; pattern: string; milliseconds: number }[] = [];
  for (const [input, build] of Object.entries(HOSTILE_INPUTS)) {
    for (const pattern of HOSTILE_PATTERNS) {
      const text = hostileText(pattern);
      times.push({ input, pattern: JSON.stringify(pattern), milliseconds: medianTime(() => build(text)) });
    }
  }
  times.sort((a, b) => b.milliseconds - a.milliseconds);
  console.log(
    `\n${times.length} hostile inputs of ${HOSTILE_LENGTH} characters, the slowest (at most 50 ms):`,
  );
  for (const { input, pattern, milliseconds } of times.slice(0, 5)) {
    console.log(`  ${milliseconds.toFixed(2).padStart(7)} ms  ${input}: ${pattern}, again and again`);
  }
}

/** `npm run bench -- endpoint [--hostile]`: the figures that the package's README quotes. */
export async function benchEndpoint(args: readonly string[]): Promise<void> {
  if (!args.includes('--hostile')) {
    benchCalls();
    benchTemplates();
    await run();
  }
  timeHostileInputs();
}
