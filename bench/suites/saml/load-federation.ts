import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { ProviderDirectory } from '../../../packages/saml/src/metadata/directory.ts';
import { readMetadata } from '../../../packages/saml/src/metadata/reader.ts';

export interface LoadedFederation {
  readonly providers: number;
  readonly seconds: number;
  /** Of the first search, which sorts, and of the median of others. */
  readonly searchMilliseconds: readonly [number, number];
  /** Of the whole process, Node.js included, at its peak. */
  readonly megabytes: number;
}

const [metadata = '', certificate = ''] = process.argv.slice(2);

const started = performance.now();
const read = await readMetadata(createReadStream(metadata), [readFileSync(certificate, 'utf8')], {
  allowSha1: false,
});
const directory = new ProviderDirectory(1);
directory.replace(0, read.providers);
const seconds = (performance.now() - started) / 1000;

const [first = 0, ...others] = ['', 'univ', 'university 42', 'place 4999', 'nothing'].map((query) => {
  const begun = performance.now();
  directory.search(query, 'en', 25, Date.now());
  return performance.now() - begun;
});
const loaded: LoadedFederation = {
  providers: directory.size,
  seconds,
  searchMilliseconds: [first, others.sort((a, b) => a - b)[1] ?? 0],
  megabytes: peakKilobytes() / 1024,
};
console.log(JSON.stringify(loaded));

/** A process on Linux begins with the peak of the process that started it in `maxRSS`. */
function peakKilobytes(): number {
  const status = '/proc/self/status';
  const { maxRSS } = process.resourceUsage();
  if (!existsSync(status)) return maxRSS;
  const [, peak = maxRSS] = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8')) ?? [];
  return Number(peak);
}
