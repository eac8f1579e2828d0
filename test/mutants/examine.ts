import { readFileSync } from 'node:fs';
import { MutantProcess } from './mutant-process.ts';
import { type Mutant, mutate } from './mutants.ts';

interface FoundMutant extends Mutant {
  readonly file: string;
}

/** What the tests have made of a mutant. */
export interface ExaminedMutant extends FoundMutant {
  readonly outcome: 'noticed' | 'unnoticed' | 'unreached';
}

interface Baseline {
  /** Ids of mutants that run while the sources are loaded: each needs a process of its own. */
  readonly fixed: ReadonlySet<number>;
  /** The test files, the quickest first, with the mutants at which they come by. */
  readonly tests: readonly {
    readonly test: string;
    readonly reached: ReadonlySet<number>;
    readonly time: number;
  }[];
}

// Milliseconds. A machine that is busy must not make a mutant look noticed.
const leastLimit = 20_000;
const limitFactor = 20;
/** Runs until a process is replaced: node:test keeps each suite. */
const runsOfProcess = 300;

/**
 * Runs the tests with each mutant of the sources. The tests must pass without.
 *
 * @param sources paths of source files of one package
 * @param tests paths of its test files
 */
export async function examine(
  sources: readonly string[],
  tests: readonly string[],
  processes: number,
): Promise<ExaminedMutant[]> {
  const found: FoundMutant[] = [];
  const mutated = sources.map((file) => {
    const { code, mutants } = mutate(readFileSync(file, 'utf8'), found.length);
    found.push(...mutants.map((mutant) => ({ ...mutant, file })));
    return [file, code] as const;
  });
  const baseline = await measure(mutated, tests);
  const outcomes: ExaminedMutant[] = [];
  const queue = found.values();
  const work = async () => {
    const examiner = new Examiner(mutated, baseline, found);
    for (const mutant of queue) outcomes.push({ ...mutant, outcome: await examiner.outcomeOf(mutant) });
    await examiner.end();
  };
  await Promise.all(Array.from({ length: processes }, work));
  return outcomes.toSorted((a, b) => a.id - b.id);
}

type Sources = readonly (readonly [file: string, source: string])[];

async function measure(sources: Sources, tests: readonly string[]): Promise<Baseline> {
  const process = new MutantProcess('inherit');
  const limit = 120_000;
  const loaded = await process.run({ sources }, limit);
  if (loaded === undefined) throw new Error('the sources with their mutants could not be loaded');
  const measured = [];
  for (const test of tests) {
    const began = performance.now();
    const answer = await process.run({ test }, limit);
    if (answer === undefined || answer.failed > 0) throw new Error(`${test} fails without a mutant`);
    measured.push({ test, reached: new Set(answer.reached), time: performance.now() - began });
  }
  await process.end();
  return { fixed: new Set(loaded.reached), tests: measured.toSorted((a, b) => a.time - b.time) };
}

class Examiner {
  readonly #sources: Sources;
  readonly #baseline: Baseline;
  readonly #found: readonly FoundMutant[];
  #process: MutantProcess | undefined;
  #runs = 0;

  constructor(sources: Sources, baseline: Baseline, found: readonly FoundMutant[]) {
    this.#sources = sources;
    this.#baseline = baseline;
    this.#found = found;
  }

  async outcomeOf(mutant: FoundMutant): Promise<ExaminedMutant['outcome']> {
    const { fixed, tests } = this.#baseline;
    const { id } = mutant;
    if (fixed.has(id)) return this.#outcomeFromStart(mutant);
    const reaching = tests.filter(({ reached }) => reached.has(id));
    if (reaching.length === 0) return 'unreached';
    for (const { test, time } of reaching) {
      if (await this.#notices(test, time, id)) return 'noticed';
    }
    return 'unnoticed';
  }

  async end(): Promise<void> {
    await this.#process?.end();
    this.#process = undefined;
    this.#runs = 0;
  }

  /** A mutant that ran when the sources were loaded, such as one of a regular expression. */
  async #outcomeFromStart({ id, file }: FoundMutant): Promise<ExaminedMutant['outcome']> {
    await this.end();
    if (!(await this.#load(id))) return 'noticed';
    let outcome: ExaminedMutant['outcome'] = 'unnoticed';
    for (const { test, time } of this.#nearest(file)) {
      if (!(await this.#notices(test, time, id))) continue;
      outcome = 'noticed';
      break;
    }
    await this.end();
    return outcome;
  }

  /** All tests, those first that run the most of the file. */
  #nearest(file: string): Baseline['tests'] {
    const ids = this.#found.filter((mutant) => mutant.file === file).map(({ id }) => id);
    const share = ({ reached }: Baseline['tests'][number]) => ids.filter((id) => reached.has(id)).length;
    return this.#baseline.tests.toSorted((a, b) => share(b) - share(a));
  }

  async #notices(test: string, time: number, active: number): Promise<boolean> {
    if (this.#runs >= runsOfProcess) await this.end();
    if (this.#process === undefined) await this.#load(undefined);
    this.#runs += 1;
    const answer = await this.#process?.run({ test, active }, leastLimit + limitFactor * time);
    if (answer === undefined || answer.isLast) await this.end();
    return answer === undefined || answer.failed > 0;
  }

  async #load(active: number | undefined): Promise<boolean> {
    this.#process = new MutantProcess('ignore');
    const loaded = await this.#process.run({ sources: this.#sources, active }, leastLimit);
    if (loaded === undefined) await this.end();
    return loaded !== undefined;
  }
}
