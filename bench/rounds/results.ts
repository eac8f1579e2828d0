import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Cores } from '../measure/cores.ts';
import { type ThreadKind, threadKinds } from '../measure/processor-time.ts';
import { type Spread, spreadOf } from '../measure/statistics.ts';
import type { Measured } from './measured.ts';
import { ratioOf, spread } from './report.ts';

const root = new URL('../../', import.meta.url);

/** When and with what a benchmark was run. */
export interface Circumstances {
  /** Such as `2026-01-31`. */
  readonly date: string;
  readonly machine: { readonly processors: number; readonly model: string; readonly platform: string };
  readonly versions: Readonly<Record<string, string>>;
}

/** What `bench/results/<name>.json` holds. Rates are operations a second, latencies milliseconds, processor times microseconds. */
export interface SuiteResult extends Circumstances {
  readonly name: string;
  readonly title: string;
  readonly operation: 'request' | 'flow';
  /** `null`: not pinned, all share all cores. */
  readonly cores: Cores | null;
  readonly connections: number;
  readonly rounds: number;
  readonly roundSeconds: number;
  /** The share of the machine, 0 to 1, that other processes used during the rounds. */
  readonly otherWork: Spread;
  readonly contestants: readonly ContestantResult[];
  /** Of each round: the rate, and the processor time of an operation, of the first in proportion to the second. */
  readonly ratios: readonly RatioResult[];
}

export interface ContestantResult {
  readonly name: string;
  readonly perSecond: Spread;
  readonly p50: Spread;
  readonly p99: Spread;
  /** At 70 % of the rate of each round. Latencies count from when a request was to begin; the processor time is that of the server. */
  readonly paced: {
    readonly perSecond: number;
    readonly p50: Spread;
    readonly p99: Spread;
    readonly processor: Spread;
  };
  readonly requestsEach: number;
  /** Of an operation. */
  readonly processor: {
    readonly server: Spread;
    readonly threads: Readonly<Record<ThreadKind, Spread>>;
    readonly generator: Spread;
  };
  /** MB. */
  readonly memory: { readonly idle: number; readonly loaded: number };
}

export interface RatioResult {
  readonly name: string;
  readonly against: string;
  readonly perSecond: Spread;
  readonly processor: Spread;
}

export interface Setting {
  readonly name: string;
  readonly title: string;
  readonly operation: 'request' | 'flow';
  readonly cores: Cores | null;
  readonly connections: number;
  readonly rounds: number;
  readonly roundSeconds: number;
  /** Packages that are measured too. */
  readonly packages: readonly string[];
  /** The contestant that is compared with all others. */
  readonly own: string;
}

export function resultOf(
  { packages, own: ownName, ...setting }: Setting,
  measured: readonly Measured[],
): SuiteResult {
  const own = measured.find(({ name }) => name === ownName);
  const others = measured.flatMap(({ rounds }) => rounds.map((round) => round.others));
  return {
    ...setting,
    ...circumstances(packages),
    otherWork: rounded(spreadOf(others)),
    contestants: measured.map(contestantResult),
    ratios: measured.flatMap((other) =>
      own === undefined || other === own
        ? []
        : {
            name: ownName,
            against: other.name,
            perSecond: rounded(ratioOf(own, other, ({ perSecond }) => perSecond)),
            processor: rounded(ratioOf(own, other, ({ server }) => server)),
          },
    ),
  };
}

/** @param packages that are measured too */
export function circumstances(packages: readonly string[]): Circumstances {
  const [processor] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: {
      processors: cpus().length,
      model: processor?.model ?? '',
      platform: `${process.platform} ${process.arch}`,
    },
    versions: { 'Node.js': process.versions.node, ...versionsOf(packages) },
  };
}

function contestantResult({ name, rounds, paced, idleMemory, memory }: Measured): ContestantResult {
  const threads = threadKinds.map((kind) => {
    const times = rounds.map((round) => round.threads.get(kind) ?? 0);
    return [kind, rounded(spreadOf(times))] as const;
  });
  return {
    name,
    perSecond: rounded(spread(rounds, 'perSecond')),
    p50: rounded(spread(rounds, 'p50')),
    p99: rounded(spread(rounds, 'p99')),
    paced: {
      perSecond: significant(spread(paced, 'perSecond').median),
      processor: rounded(spread(paced, 'server')),
      p50: rounded(spread(paced, 'p50')),
      p99: rounded(spread(paced, 'p99')),
    },
    requestsEach: significant(spread(rounds, 'requests').median),
    processor: {
      server: rounded(spread(rounds, 'server')),
      threads: Object.fromEntries(threads) as Record<ThreadKind, Spread>,
      generator: rounded(spread(rounds, 'generator')),
    },
    memory: { idle: significant(idleMemory), loaded: significant(memory) },
  };
}

/** Four digits are more than any two runs have in common. */
export function rounded({ median, least, most }: Spread): Spread {
  return { median: significant(median), least: significant(least), most: significant(most) };
}

export function significant(value: number): number {
  return Number(value.toPrecision(4));
}

function versionsOf(packages: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    packages.map((name) => {
      const file = new URL(`node_modules/${name}/package.json`, root);
      return [name, (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version];
    }),
  );
}

const folder = fileURLToPath(new URL('bench/results/', root));

export function saveResult(name: string, result: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}${name}.json`, `${JSON.stringify(result, undefined, 2)}\n`);
}

/** @throws Error if the benchmark was never saved */
export function savedResult<Result = SuiteResult>(name: string): Result {
  return JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as Result;
}
