import { writeFileSync } from 'node:fs';
import { type SuiteResult, savedResult } from '../rounds/results.ts';
import { chart } from './chart.ts';

/** The benchmarks that the page of the figures shows, in its order. */
export const shown = ['token', 'info', 'refresh', 'flow'] as const;

const chartFile = new URL('../results/servers.svg', import.meta.url);

export function savedResults(): readonly SuiteResult[] {
  return shown.map((name) => savedResult(name));
}

export function writeChart(): void {
  writeFileSync(chartFile, chart(savedResults()));
}
