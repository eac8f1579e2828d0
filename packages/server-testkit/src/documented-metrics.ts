import { readFileSync } from 'node:fs';

/** A row of the table of metrics in the guide. */
export interface DocumentedMetric {
  readonly name: string;
  readonly type: string;
  readonly labels: readonly string[];
  readonly meaning: string;
}

export function documentedMetrics(): DocumentedMetric[] {
  const guide = readFileSync(new URL('../../../docs/guides/metrics.md', import.meta.url), 'utf8');
  const rows = guide.matchAll(/^\| `(watchword_\w+)` \| (\w+) \|([^|]*)\|(.*)\|$/gm);
  return [...rows].map(([, name = '', type = '', labels = '', meaning = '']) => {
    return { name, type, labels: [...labels.matchAll(/\w+/g)].map(String), meaning };
  });
}
