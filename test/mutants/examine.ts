import { MutantProcess } from './mutant-process.ts';
import type { FileMutant, MutatedFile } from './mutated-files.ts';

/** What the tests have made of a mutant. */
export interface ExaminedMutant extends FileMutant {
  readonly outcome: 'noticed' | 'unnoticed' | 'unreached';
}

interface Baseline {
  /** Ids of mutants that run while the sources are loaded: each needs a process of its own. */
  readonly fixed: ReadonlySet<number>;
  /** The test files, with the mutants at which they come by. */
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
 * Runs the tests with each of the chosen mutants. The tests must pass without.
 *
 * @param files source files of one package
 * @param tests paths of its test files
 */
export async function examine(
  files: readonly MutatedFile[],
  tests: readonly string[],
  processes: number,
  isChosen: (mutant: FileMutant) => boolean = () => true,
  onOutcome: (mutant: ExaminedMutant) => void = () => {},
): Promise<ExaminedMutant[]> {
  const mutants = files.flatMap((file) => file.mutants);
  const sources = files.map(({ file, code }) => [file, code] as const);
  const baseline = await measure(sources, tests);
  const outcomes: ExaminedMutant[] = [];
  const queue = mutants.filter(isChosen).values();
  const work = async () => {
    const examiner = new Examiner(sources, baseline, mutants);
    for (const mutant of queue) {
      const examined = { ...mutant, outcome: await examiner.outcomeOf(mutant) };
      outcomes.push(examined);
      onOutcome(examined);
    }
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
  return { fixed: new Set(loaded.reached), tests: measured };
}

class Examiner {
  readonly #sources: Sources;
  readonly #baseline: Baseline;
  readonly #found: readonly FileMutant[];
  #process: MutantProcess | undefined;
  #runs = 0;

  constructor(sources: Sources, baseline: Baseline, found: readonly FileMutant[]) {
    this.#sources = sources;
    this.#baseline = baseline;
    this.#found = found;
  }

  async outcomeOf(mutant: FileMutant): Promise<ExaminedMutant['outcome']> {
    const { id, file } = mutant;
    if (this.#baseline.fixed.has(id)) return this.#outcomeFromStart(mutant);
    const reaching = this.#nearest(file).filter(({ reached }) => reached.has(id));
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
  async #outcomeFromStart({ id, file }: FileMutant): Promise<ExaminedMutant['outcome']> {
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

  /** All tests, those first that run much of the file in little time. */
  #nearest(file: string): Baseline['tests'] {
    const ids = this.#found.filter((mutant) => mutant.file === file).map(({ id }) => id);
    const worth = ({ reached, time }: Baseline['tests'][number]) =>
      ids.filter((id) => reached.has(id)).length / time;
    return this.#baseline.tests.toSorted((a, b) => worth(b) - worth(a));
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
