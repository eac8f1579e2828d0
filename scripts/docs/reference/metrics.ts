import { metricDescriptions } from '../../../packages/server/src/runtime/metrics/descriptions.ts';
import { read } from '../contents.ts';
import { code, plain, table } from '../markdown.ts';

/** The page in which the list stands. */
export const metricsFile = 'docs/guides/metrics.md';

const place = '<!-- every metric -->';

/** The guide with every metric. */
export function metricReference(): string {
  const rows = Object.entries(metricDescriptions).map(([name, { type, labels, help }]) => [
    code(name),
    type,
    labels.map(code).join(', '),
    plain(help),
  ]);
  const [before, after] = read(metricsFile).split(place);
  if (after === undefined) throw new Error(`${metricsFile} has no ${place}`);
  return `${before}${table(['metric', 'type', 'labels', 'meaning'], rows)}${after}`;
}
