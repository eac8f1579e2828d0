import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const chart = fileURLToPath(new URL('../../deploy/helm/watchword', import.meta.url));

/** Sets of values, in `ci/` of the chart, and what Kubernetes gets with them, in `chart/` here. */
export const cases = ['default', 'full'] as const;
export type Case = (typeof cases)[number];

export function valuesFile(name: Case): string {
  return join(chart, 'ci', `${name}-values.yaml`);
}

export function renderedFile(name: Case): string {
  return fileURLToPath(new URL(`chart/${name}.yaml`, import.meta.url));
}

/** What `helm` is called with: the oldest Kubernetes that the chart allows, whatever helm takes for the usual one. */
export function helmTemplate(name: Case): string[] {
  const values = ['--namespace', 'identity', '--values', valuesFile(name)];
  return ['template', 'watchword', chart, ...values, '--kube-version', '1.30.0'];
}

/** The first line of rendered manifests: tells whether the chart has changed since. */
export function digestLine(name: Case): string {
  const hash = createHash('sha256').update(readFileSync(valuesFile(name)));
  for (const file of globSync(['*.yaml', 'templates/**/*'], { cwd: chart }).sort()) {
    if (/\.(?:yaml|tpl)$/.test(file)) hash.update(file).update(readFileSync(join(chart, file)));
  }
  return `# helm template with ci/${name}-values.yaml. SHA-256 of the chart and these values: ${hash.digest('hex')}\n`;
}

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
}

/** As Kubernetes reads them: YAML 1.1, where 0440 is octal. */
export function manifestsIn(text: string): Manifest[] {
  return parseAllDocuments(text, { version: '1.1' })
    .map((document) => document.toJS())
    .filter((manifest) => manifest !== null);
}
