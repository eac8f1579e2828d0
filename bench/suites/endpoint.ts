import { execFileSync } from 'node:child_process';
import { StdUriTemplate } from '@std-uritemplate/std-uritemplate';
import { expandTemplate } from '@watchword/endpoint';
import {
  HOSTILE_INPUTS,
  HOSTILE_LENGTH,
  HOSTILE_PATTERNS,
  hostileText,
} from '@watchword/testkit/hostile-inputs';
import { median, type Spread } from '../measure/statistics.ts';
import { type Circumstances, circumstances, rounded, significant } from '../rounds/results.ts';
import { machine } from '../rounds/rounds.ts';
import { ours, theirs, urls } from './endpoint/calls.ts';

const TEMPLATE = '/repos{/owner,repo}/issues{?state,labels*,per_page}';
const VARIABLES = {
  owner: 'octocat',
  repo: 'hello-world',
  state: 'open',
  labels: ['bug', 'help wanted'],
  per_page: 50,
};

const ROUNDS = 600;
/** Nanoseconds of a round: so short that other processes interrupt few of them. */
const ROUND = 60_000;
/** Nanoseconds of calls before the first round. */
const WARM_UP = 100_000_000;

/** What the last call made, so that no compiler leaves the call out. */
const last: { made?: unknown } = {};

/** Nanoseconds for each call. */
function timeCalls(call: () => unknown, times: number): number {
  const start = process.hrtime.bigint();
  for (let done = 0; done < times; done++) last.made = call();
  return Number(process.hrtime.bigint() - start) / times;
}

/** How many calls make a round. */
function warmUp(call: () => unknown): number {
  let times = 100;
  for (let spent = 0; spent < WARM_UP; times *= 2) spent += timeCalls(call, times) * times;
  const time = Math.min(...Array.from({ length: 20 }, () => timeCalls(call, 20)));
  return Math.ceil(ROUND / time);
}

type Call = () => unknown;

/** Nanoseconds of a call here and elsewhere, and how many times as fast as there it is here: in 80 % of the rounds. */
interface Compared {
  readonly name: string;
  readonly own: number;
  readonly others: number;
  readonly times: Spread;
}

/** What `bench/results/endpoint.json` holds, of which the package's README is made. */
interface EndpointResult extends Circumstances {
  readonly median: number;
  readonly calls: readonly Compared[];
  /** Nanoseconds of one URL. */
  readonly urls: Readonly<Record<string, number>>;
}

/** Both calls in alternating rounds. */
function compare(name: string, call: Call, other: Call): Compared {
  const [calls, otherCalls] = [warmUp(call), warmUp(other)];
  const rounds = Array.from({ length: ROUNDS }, () => {
    const own = timeCalls(call, calls);
    const others = timeCalls(other, otherCalls);
    return { own, others, ratio: others / own };
  });
  const ratios = rounds.map(({ ratio }) => ratio).sort((a, b) => a - b);
  const at = (share: number) => ratios[Math.floor(ROUNDS * share)] ?? Number.NaN;
  const own = median(rounds.map((round) => round.own));
  const others = median(rounds.map((round) => round.others));
  const shown = [own, others].map((time) => `${time.toFixed(0).padStart(6)} ns`).join('  ');
  const range = `(${at(0.1).toFixed(1)} to ${at(0.9).toFixed(1)})`;
  console.log(`  ${name.padEnd(38)} ${shown}  ${at(0.5).toFixed(1).padStart(5)} times ${range}`);
  const times = rounded({ median: median(ratios), least: at(0.1), most: at(0.9) });
  return { name, own: significant(own), others: significant(others), times };
}

const medianOf = (compared: readonly Compared[]): number => median(compared.map(({ times }) => times.median));

function benchCalls(names: readonly string[]): readonly Compared[] {
  const pairs = names.flatMap((name) => {
    const [own, other] = [ours[name], theirs[name]];
    return own && other ? [[name, own, other] as const] : [];
  });
  for (const [, own, other] of pairs) for (const call of [own, other]) warmUp(call);
  const compared = pairs.map((pair) => compare(...pair));
  if (names.length > 1) console.log(`  the median of all: ${medianOf(compared).toFixed(1)} times`);
  return compared;
}

/** One URL in each way that a package has for it, in turn. */
function benchUrls(): Readonly<Record<string, number>> {
  const calls = Object.entries(urls);
  const counts = calls.map(([, call]) => warmUp(call));
  const rounds = Array.from({ length: ROUNDS }, () =>
    calls.map(([, call], index) => timeCalls(call, counts[index] ?? 1)),
  );
  const times = calls.map(([name], index) => {
    const time = significant(median(rounds.map((round) => round[index] ?? Number.NaN)));
    console.log(`  ${name.padEnd(38)} ${time.toFixed(0).padStart(6)} ns`);
    return [name, time] as const;
  });
  return Object.fromEntries(times);
}

/** Each call in a process of its own: the compiler of V8 has seen no other kind of call there. */
function benchAlone(names: readonly string[]): void {
  for (const name of names) {
    const args = [...process.execArgv, process.argv[1] ?? '', 'endpoint', '--only', name];
    process.stdout.write(execFileSync(process.execPath, args, { encoding: 'utf8' }));
  }
}

function benchTemplates(): void {
  const calls = [
    () => expandTemplate(TEMPLATE, VARIABLES),
    () => StdUriTemplate.expand(TEMPLATE, VARIABLES),
  ] as const;
  compare('a template with five variables', ...calls);
}

/** Milliseconds, the median of five runs. */
function medianTime(run: () => unknown): number {
  return median(
    Array.from({ length: 5 }, () => {
      const start = performance.now();
      try {
        run();
      } catch {} // an error is a fine answer; only the time counts
      return performance.now() - start;
    }),
  );
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

/**
 * `npm run bench -- endpoint [--hostile]`: the figures that the package's README quotes. Medians of alternating rounds, with the
 * range in which 80 % of the rounds lie.
 */
export async function benchEndpoint(args: readonly string[]): Promise<EndpointResult | undefined> {
  const names = Object.keys(ours);
  if (args[0] === '--only') {
    benchCalls(args.slice(1));
    return undefined;
  }
  if (args.includes('--hostile')) {
    timeHostileInputs();
    return undefined;
  }
  console.log(
    `${await machine()}\n\n@watchword/endpoint beside @octokit/endpoint, all calls in one process:`,
  );
  const calls = benchCalls(names);
  console.log('\nEach call in a process of its own:');
  benchAlone(names);
  console.log('\nexpandTemplate beside std-uritemplate:');
  benchTemplates();
  console.log('\nA URL with two path variables and two parameters of the query:');
  const times = benchUrls();
  timeHostileInputs();
  const packages = Object.keys(urls).filter((name) => !name.startsWith('@watchword/'));
  return { ...circumstances(packages), median: significant(medianOf(calls)), calls, urls: times };
}
