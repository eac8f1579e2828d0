// `npm run test:mutants -- path …`: changes the source files whose paths begin with an argument, one small change at a time, and
// prints the changes that no test of their package notices.
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname } from 'node:path';
import { testFiles } from '../runner/test-files.ts';
import { type ExaminedMutant, examine } from './examine.ts';

const paths = process.argv.slice(2);
const sources = globSync('packages/*/src/**/*.ts')
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => paths.some((path) => file.startsWith(path)))
  .toSorted();
if (sources.length === 0) {
  console.error('Name source files or folders: npm run test:mutants -- packages/protocol/src/rules/pkce.ts');
  process.exit(1);
}
const outcomes: ExaminedMutant[] = [];
for (const [root, files] of Map.groupBy(sources, (file) => file.split('/src/')[0] ?? '')) {
  const tests = testFiles(process.cwd(), [`${root}/test/`], false).filter(
    (file) => !file.endsWith('.slow.test.ts'),
  );
  outcomes.push(...(await examine(files, tests, availableParallelism())));
}
for (const { file, line, before, after, outcome } of outcomes) {
  if (outcome === 'noticed') continue;
  const change = after === '' ? 'removed' : `→ ${inOneLine(after)}`;
  console.log(
    `${file}:${line} ${inOneLine(before)} ${change}${outcome === 'unreached' ? ' (no test comes by)' : ''}`,
  );
}
for (const [folder, mutants] of Map.groupBy(outcomes, ({ file }) => dirname(file))) print(folder, mutants);
print('all', outcomes);

function print(name: string, mutants: readonly ExaminedMutant[]): void {
  const noticed = mutants.filter(({ outcome }) => outcome === 'noticed').length;
  const percent = mutants.length === 0 ? 100 : (noticed / mutants.length) * 100;
  console.log(`${name}: ${percent.toFixed(1)} % of ${mutants.length} changes noticed`);
}

function inOneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
