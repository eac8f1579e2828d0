// `npm run test:mutants -- path …`: changes the source files whose paths begin with an argument, one small change at a time, and
// prints the changes that no test of their package notices. `--sample N` draws so many of the changes at random, `--seed TEXT` the
// same ones again. `--then PATH` tries those that are left once more, with the test files whose paths begin with PATH.
import { randomBytes } from 'node:crypto';
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { testFiles } from '../runner/test-files.ts';
import { type ExaminedMutant, examine } from './examine.ts';
import { drawn, type FileMutant, type MutatedFile, mutatedFiles } from './mutated-files.ts';

const { values: options, positionals: paths } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string' },
    seed: { type: 'string', default: randomBytes(4).toString('hex') },
    // biome-ignore lint/suspicious/noThenProperty: the name of an option
    then: { type: 'string', multiple: true, default: [] },
  },
});
const sources = globSync('packages/*/src/**/*.ts')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => paths.some((path) => file.startsWith(path)))
  .toSorted();
if (sources.length === 0) {
  console.error('Name source files or folders: npm run test:mutants -- packages/protocol/src/rules/pkce.ts');
  process.exit(1);
}
const size = options.sample === undefined ? Number.POSITIVE_INFINITY : Number(options.sample);
if (!(size >= 1)) {
  console.error(`--sample is a number of changes, such as 400, not ${options.sample}`);
  process.exit(1);
}
const files = mutatedFiles(sources);
const chosen = new Set(drawn(files, size, options.seed).map(({ id }) => id));
const isChosen = ({ id }: FileMutant) => chosen.has(id);

const outcomes: ExaminedMutant[] = [];
for (const [root, mutated] of Map.groupBy(files, ({ file }) => file.split('/src/')[0] ?? '')) {
  const own = [`${root}/test/`];
  if (options.then.length === 0) {
    outcomes.push(...(await examineWith(mutated, own, isChosen, printLeft)));
    continue;
  }
  const first = await examineWith(mutated, own, isChosen);
  const [noticed, left] = [true, false].map((isNoticed) =>
    first.filter(({ outcome }) => (outcome === 'noticed') === isNoticed),
  );
  print(root, first);
  const ids = new Set(left?.map(({ id }) => id));
  const isLeft = ({ id }: FileMutant) => ids.has(id);
  outcomes.push(...(noticed ?? []), ...(await examineWith(mutated, options.then, isLeft, printLeft)));
}
for (const [folder, mutants] of Map.groupBy(outcomes, ({ file }) => dirname(file))) print(folder, mutants);
print(options.sample === undefined ? 'all' : `a sample with --seed ${options.seed}`, outcomes);

function examineWith(
  mutated: readonly MutatedFile[],
  tests: readonly string[],
  isExamined: (mutant: FileMutant) => boolean,
  onOutcome?: (mutant: ExaminedMutant) => void,
): Promise<ExaminedMutant[]> {
  const quick = testFiles(process.cwd(), tests, false).filter((file) => !file.endsWith('.slow.test.ts'));
  return examine(mutated, quick, availableParallelism(), isExamined, onOutcome);
}

/** As soon as it is known: a run takes minutes. */
function printLeft({ file, line, before, after, outcome }: ExaminedMutant): void {
  if (outcome === 'noticed') return;
  const change = after === '' ? 'removed' : `→ ${inOneLine(after)}`;
  const reason = outcome === 'unreached' ? ' (no test comes by)' : '';
  console.log(`${file}:${line} ${inOneLine(before)} ${change}${reason}`);
}

function print(name: string, mutants: readonly ExaminedMutant[]): void {
  const noticed = mutants.filter(({ outcome }) => outcome === 'noticed').length;
  const percent = mutants.length === 0 ? 100 : (noticed / mutants.length) * 100;
  console.log(`${name}: ${percent.toFixed(1)} % of ${mutants.length} changes noticed`);
}

function inOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
