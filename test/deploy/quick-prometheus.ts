import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { rulesFile } from './monitoring.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';

const rules = fileURLToPath(new URL(`../../${rulesFile}`, import.meta.url));

const factor = 30;
// Seconds. Windows that are shorter have too few values, and ones that are longer keep an alert for too long.
const [shortestWindow, longestWindow] = [10, 30];
const longestWait = 10;
// The metrics wait a second for a database that does not answer.
const scrapeInterval = 3;

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * The rules for a fault of seconds: an alert that waits for minutes waits for seconds, and the windows of its expression are as much
 * shorter. watchword.rules.test.yaml tests their true times.
 */
function shortened(text: string): string {
  const short = (number: string, unit: string) => (Number(number) * (seconds[unit] ?? 1)) / factor;
  return text
    .replaceAll(/(?<=\[|offset )(\d+)([smhd])/g, (_, number: string, unit: string) => {
      return `${Math.round(Math.min(Math.max(short(number, unit), shortestWindow), longestWindow))}s`;
    })
    .replaceAll(/(?<=for: )(\d+)([smhd])/g, (_, number: string, unit: string) => {
      return `${Math.round(Math.min(short(number, unit), longestWait))}s`;
    });
}

/** Prometheus whose alerts come within seconds. */
export async function startQuickPrometheus(): Promise<Prometheus> {
  const directory = await temporaryDirectory();
  const file = directory.file('watchword.rules.yaml');
  writeFileSync(file, shortened(readFileSync(rules, 'utf8')));
  const prometheus = await startPrometheus(file, scrapeInterval);
  return {
    ...prometheus,
    async [Symbol.asyncDispose]() {
      await prometheus[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    },
  };
}

/** Does something again and again, whether it fails or not, until it is disposed of. */
export function repeated(work: () => Promise<unknown>, at = 1): AsyncDisposable {
  let isOver = false;
  const workers = Array.from({ length: at }, async () => {
    while (!isOver) {
      await work().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  return {
    async [Symbol.asyncDispose]() {
      isOver = true;
      await Promise.all(workers);
    },
  };
}
