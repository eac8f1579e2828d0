import { readFileSync, writeFileSync } from 'node:fs';
import { type SuiteResult, savedResult } from '../rounds/results.ts';
import { chart } from './chart.ts';
import { readmeFigures } from './figures.ts';

/** The benchmarks that the README shows, in its order. */
export const shownInReadme = ['token', 'info', 'refresh', 'flow'] as const;

const chartFile = new URL('../results/servers.svg', import.meta.url);
const readmeFile = new URL('../../README.md', import.meta.url);
const [begin, end] = ['<!-- figures of bench/results -->', '<!-- end of the figures -->'];

export function savedResults(): readonly SuiteResult[] {
  return shownInReadme.map((name) => savedResult(name));
}

/** Draws the chart, and writes the figures into the README. */
export function writeCharts(): void {
  const results = savedResults();
  writeFileSync(chartFile, chart(results));
  writeFileSync(readmeFile, withFigures(readFileSync(readmeFile, 'utf8'), results));
}

/** The README with these figures between its two comments. @throws Error if a comment is missing */
export function withFigures(readme: string, results: readonly SuiteResult[]): string {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`README.md needs the comments ${begin} and ${end}`);
  return `${readme.slice(0, from + begin.length)}\n\n${readmeFigures(results)}\n\n${readme.slice(to)}`;
}
