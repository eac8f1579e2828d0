import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

export const rulesFile = 'deploy/prometheus/watchword.rules.yaml';

export interface DataSource {
  readonly type: string;
  readonly uid: string;
}

export interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly legendFormat: string;
  readonly datasource: DataSource;
  readonly exemplar?: boolean;
}

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: DataSource;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly Target[];
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly annotations: {
    readonly list: readonly { readonly expr?: string; readonly datasource: DataSource }[];
  };
  readonly templating: {
    readonly list: readonly {
      readonly name: string;
      readonly type: string;
      readonly query: string | { readonly query: string };
      readonly datasource?: DataSource;
    }[];
  };
}

export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

export interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook: string };
}

export function readDashboard(): Dashboard {
  return JSON.parse(read('deploy/grafana/watchword.json'));
}

export function readRules(): {
  readonly records: readonly RecordingRule[];
  readonly alerts: readonly Alert[];
} {
  const { groups } = parse(read(rulesFile)) as { groups: { rules: (RecordingRule | Alert)[] }[] };
  const rules = groups.flatMap((group) => group.rules);
  return {
    records: rules.filter((rule) => 'record' in rule),
    alerts: rules.filter((rule) => 'alert' in rule),
  };
}

/** The expressions of the panels, as Prometheus gets them from Grafana. */
export function panelQueries({
  panels,
  annotations,
}: Dashboard): { readonly title: string; readonly expr: string }[] {
  const ofPanels = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
  const others = annotations.list.flatMap(({ expr }) =>
    expr === undefined ? [] : [{ title: 'annotation', expr }],
  );
  return [...ofPanels, ...others].map(({ title, expr }) => ({ title, expr: interpolated(expr) }));
}

/** What Grafana puts in place of variables of which all values are chosen. */
function interpolated(expr: string): string {
  return expr.replaceAll('$__rate_interval', '1m').replaceAll(/\$(?:job|instance)\b/g, '.+');
}
