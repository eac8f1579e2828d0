import type { Spread } from '../measure/statistics.ts';
import type { ContestantResult, SuiteResult } from '../rounds/results.ts';

/** Such as `46,095`. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** A table of all contestants, the ratios, and how they were measured, as Markdown. */
export function figures(results: readonly SuiteResult[]): string {
  const rows = results.flatMap(({ title, contestants }) =>
    contestants.map((contestant) => rowOf(title, contestant)),
  );
  return [
    '| | per second (range) | p99 at 70 % of that | processor time each |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...results.map(ratioSentence),
    '',
    conditions(results),
  ].join('\n');
}

function rowOf(title: string, { name, perSecond, paced, processor }: ContestantResult): string {
  const rate = `${grouped(perSecond.median)} (${grouped(perSecond.least)} to ${grouped(perSecond.most)})`;
  return `| ${title}, ${named(name)} | ${rate} | ${paced.p99.median.toFixed(1)} ms | ${range(processor.server)} us |`;
}

/** Names of packages as code. */
function named(name: string): string {
  return /[:@]/.test(name) ? `\`${name}\`` : name;
}

function range({ median, least, most }: Spread): string {
  return `${median.toFixed(0)} (${least.toFixed(0)} to ${most.toFixed(0)})`;
}

/** Round by round, which other work disturbs less than the rates themselves. */
function ratioSentence({ title, ratios }: SuiteResult): string {
  const parts = ratios.map(({ against, perSecond }) => `${perSecond.median.toFixed(2)} of ${named(against)}`);
  return `- ${title}: Watchword's rate is ${parts.join(', ')}.`;
}

function conditions(results: readonly SuiteResult[]): string {
  const [first] = results;
  if (first === undefined) return '';
  const { machine, versions, connections, cores } = first;
  const others = Math.max(...results.map(({ otherWork }) => otherWork.median));
  const packages = Object.assign({}, ...results.map((result) => result.versions)) as typeof versions;
  const named = Object.entries(packages).map(([name, version]) => `${name} ${version}`);
  const pinned =
    cores === null
      ? 'Servers and generator shared all cores.'
      : `Servers had core ${cores.servers}, the generator core ${cores.generator}.`;
  return `Measured on ${first.date}: ${machine.processors} x ${machine.model}, ${connections} connections. ${pinned} ${named.join(', ')}. Other work took ${(others * 100).toFixed(0)} % of the machine meanwhile.`;
}
