import { readFileSync, writeFileSync } from 'node:fs';
import { comparisonTable } from './comparison.ts';

const RESULTS = new URL('../../../../bench/results/endpoint.json', import.meta.url);
const README = new URL('../../README.md', import.meta.url);

interface Results {
  readonly date: string;
  readonly machine: { readonly processors: number; readonly model: string };
  readonly versions: Readonly<Record<string, string>>;
  readonly median: number;
  readonly calls: readonly { readonly name: string; readonly times: { readonly median: number } }[];
  readonly urls: Readonly<Record<string, number>>;
}

const withCode = (name: string): string => name.replace(/\{\S*\}|defaults\(\)|mediaType\.format/g, '`$&`');

function speedTable({ date, machine, versions, median, calls }: Results): string {
  const conditions = `on ${date} on ${machine.processors} x ${machine.model}, Node.js ${versions['Node.js']}`;
  return `Measured with \`npm run bench -- endpoint\` ${conditions}, in alternating rounds
of one process, each package built as one file: how many times as fast as \`@octokit/endpoint\` ${versions['@octokit/endpoint']} a call is. The median of ${calls.length} kinds of calls is ${median.toFixed(1)}. Below 3 are:
${calls
  .filter(({ times }) => times.median < 3)
  .map(({ name, times }) => `${withCode(name)} ${times.median.toFixed(1)}`)
  .join('; ')}.`;
}

/** The text with other contents between the two comments of a name. */
function replaced(text: string, name: string, contents: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`README.md needs the comments ${begin} and ${end}`);
  return `${text.slice(0, from + begin.length)}\n\n${contents}\n\n${text.slice(to)}`;
}

/** The README as it is, and as it must be: with tables of what runs, and of what was measured last. */
export async function readmeWithTables(): Promise<{ readonly found: string; readonly expected: string }> {
  const found = readFileSync(README, 'utf8');
  const results: Results = JSON.parse(readFileSync(RESULTS, 'utf8'));
  const compared = replaced(found, 'comparison', await comparisonTable(results));
  return { found, expected: replaced(compared, 'speed', speedTable(results)) };
}

// `npm run tables -w packages/endpoint` writes them.
if (import.meta.main) writeFileSync(README, (await readmeWithTables()).expected);
