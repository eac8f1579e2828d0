import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { type MetricFamily, parseExposition } from '@watchword/server-testkit/neighbours/exposition';
import { until } from '@watchword/server-testkit/processes/process';
import { metricDescriptions } from '../../packages/server/src/runtime/metrics/descriptions.ts';
import { anchors } from '../../scripts/docs/markdown.ts';
import { type LoadedServer, startLoadedServer } from './loaded-server.ts';
import { type Panel, panelQueries, readDashboard, readRules } from './monitoring.ts';
import { type Query, readQuery, type Selector } from './promql.ts';

const dashboard = readDashboard();
const { records, alerts } = readRules();
const recorded = new Map(records.map(({ record, expr }) => [record, readQuery(expr)]));
const documented = Object.entries(metricDescriptions).map(([name, metric]) => ({ name, ...metric }));
const panels = dashboard.panels.filter(({ type }) => type !== 'row');

/** Every expression, with its place. */
const queries: readonly { readonly place: string; readonly query: Query }[] = [
  ...panelQueries(dashboard).map(({ title, expr }) => ({ place: `panel ${title}`, query: readQuery(expr) })),
  ...[...recorded].map(([record, query]) => ({ place: record, query })),
  ...alerts.map(({ alert, expr }) => ({ place: alert, query: readQuery(expr) })),
];
const uses = queries.flatMap(({ place, query }) => query.selectors.map((selector) => ({ place, selector })));

// Prometheus adds them to every series.
const targetLabels = ['job', 'instance'];
// Made by Prometheus for each target, or only on Linux.
const notOfEveryServer: Readonly<Record<string, Metric>> = {
  up: { type: 'gauge', labels: [], values: undefined },
  ...(process.platform !== 'linux' && {
    process_open_fds: { type: 'gauge', labels: [], values: undefined },
    process_max_fds: { type: 'gauge', labels: [], values: undefined },
  }),
};
// A server over SQLite does not have them. Their names, types and labels are those of the table.
const notOfThisServer = /^watchword_database_(?:connection|split_brain)/;

interface Metric {
  /** `bucket` is a series of a histogram that quantiles are made of. */
  readonly type: 'counter' | 'gauge' | 'bucket';
  readonly labels: readonly string[];
  /** The values of each label, if the server has them. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>> | undefined;
}

describe('the dashboard and the alerts', () => {
  let loaded: LoadedServer;
  let metrics: ReadonlyMap<string, Metric>;
  let openMetrics: string;
  before(async () => {
    loaded = await startLoadedServer({}, 'sqlite');
    await loaded.load();
    const { server } = loaded;
    openMetrics = (await server.get('/metrics', { accept: 'application/openmetrics-text' })).text;
    let text = '';
    await until(async () => {
      text = (await server.get('/metrics')).text;
      // The purge can end while the text is made: then it has the one, and not the other.
      // In a process with a large heap the first collection comes late.
      return (
        /last_success_timestamp_seconds\{work="purge"\}/.test(text) &&
        text.includes('purged_rows_total{') &&
        text.includes('nodejs_gc_duration_seconds_sum{')
      );
    });
    metrics = metricsOf(parseExposition(text));
  });
  after(() => loaded[Symbol.asyncDispose]());

  const metricOf = ({ metric }: Selector) =>
    metrics.get(metric) ?? assert.fail(`a loaded server has no metric ${metric}`);

  it('use metrics that a loaded server has', () => {
    assert.ok(uses.length > 100);
    const missing = uses.filter(({ selector }) => !metrics.has(selector.metric));
    assert.deepEqual(
      missing.map(({ place, selector }) => `${place}: ${selector.metric}`),
      [],
    );
  });

  it('use labels that the series have, and values that a loaded server has shown', () => {
    const problems = uses.flatMap(({ place, selector }) => {
      const { labels, values } = metricOf(selector);
      const named = [...selector.matchers.map(({ label }) => label), ...selector.groupings];
      const unknown = named.filter((label) => !labels.includes(label) && !targetLabels.includes(label));
      const unseen = selector.matchers.filter(({ label, operator, value }) => {
        const shown = values?.get(label);
        if (shown === undefined) return false;
        const isRegex = operator.endsWith('~');
        // A status of 500 and more is what no test should have to make.
        return value
          .split(isRegex ? '|' : '\n')
          .some((each) => each !== '5..' && !isShown(each, shown, isRegex));
      });
      return [
        ...unknown.map((label) => `${place}: ${selector.metric} has no label ${label}`),
        ...unseen.map(({ label, value }) => `${place}: ${selector.metric} has no ${label} of ${value}`),
      ];
    });
    assert.deepEqual(problems, []);
  });

  it('read counters as rates, gauges as they are, and buckets as quantiles', () => {
    const problems = uses.flatMap(({ place, selector }) => {
      const [nearest = ''] = selector.functions;
      const { type } = metricOf(selector);
      const isRate = ['rate', 'increase'].includes(nearest);
      const isQuantile =
        selector.functions.includes('histogram_quantile') && selector.groupings.includes('le');
      const isRight = isRate === (type !== 'gauge') && isQuantile === (type === 'bucket');
      return isRight
        ? []
        : [`${place}: ${selector.metric} is a ${type}, within ${selector.functions.join(', ')}`];
    });
    assert.deepEqual(problems, []);
  });

  it('name labels in legends and annotations that their results have', () => {
    const texts = [
      ...panels.flatMap(({ title, targets = [] }) =>
        targets.map(({ expr, legendFormat }) => ({ place: title, expr, text: legendFormat })),
      ),
      ...alerts.map(({ alert, expr, annotations: { summary, description } }) => {
        return { place: alert, expr, text: summary + description };
      }),
    ];
    const problems = texts.flatMap(({ place, expr, text }) => {
      const labels = resultLabels(readQuery(expr.replaceAll('$__rate_interval', '1m')));
      const named = [...text.matchAll(/\{\{ ?(?:\$labels\.)?(\w+) ?\}\}/g)].map(([, label = '']) => label);
      return named.filter((label) => !labels.includes(label)).map((label) => `${place}: ${label}`);
    });
    assert.deepEqual(problems, []);
  });

  /** The labels of a result: those that aggregations keep, or those of the series. */
  const resultLabels = ({ selectors, resultLabels: kept }: Query): readonly string[] => {
    if (kept !== undefined) return kept;
    return [...targetLabels, ...selectors.flatMap((selector) => metricOf(selector).labels)];
  };

  it('have a server whose requests of each panel lead to traces, as exemplars', () => {
    assert.match(openMetrics, /^watchword_http_request_duration_seconds_bucket.* # \{trace_id="/m);
  });

  function metricsOf(families: readonly MetricFamily[]): ReadonlyMap<string, Metric> {
    const ofServer = families.flatMap(({ name, type, samples }) => {
      const byName = Map.groupBy(samples, (sample) => sample.name);
      return [...byName].map(([each, ofName]): [string, Metric] => {
        const values = new Map<string, Set<string>>();
        for (const [label, value] of ofName.flatMap(({ labels }) => Object.entries(labels))) {
          values.set(label, (values.get(label) ?? new Set()).add(value));
        }
        const isHistogram = type === 'histogram' || type === 'summary';
        const kind = each === `${name}_bucket` ? 'bucket' : isHistogram ? 'counter' : type;
        return [each, { type: kind, labels: [...values.keys()], values }];
      });
    });
    const others = documented.filter(({ name }) => notOfThisServer.test(name));
    return new Map<string, Metric>([
      ...Object.entries(notOfEveryServer),
      ...others.map(({ name, type, labels }): [string, Metric] => {
        return [name, { type: type === 'counter' ? 'counter' : 'gauge', labels, values: undefined }];
      }),
      ...ofServer,
      ...[...recorded].map(([record, query]): [string, Metric] => {
        return [record, { type: 'gauge', labels: query.resultLabels ?? targetLabels, values: undefined }];
      }),
    ]);
  }
});

function isShown(text: string, shown: ReadonlySet<string>, isRegex: boolean): boolean {
  return isRegex ? [...shown].some((value) => new RegExp(`^(?:${text})$`).test(value)) : shown.has(text);
}

describe('the dashboard', () => {
  it('has every metric of the server', () => {
    const shown = new Set(
      panelQueries(dashboard).flatMap(({ expr }) => readQuery(expr).selectors.map(({ metric }) => metric)),
    );
    const hidden = documented.filter(
      ({ name }) => ![name, `${name}_bucket`, `${name}_count`].some((each) => shown.has(each)),
    );
    assert.deepEqual(
      hidden.map(({ name }) => name),
      [],
    );
  });

  it('asks the data source, the jobs and the servers that are chosen, everywhere', () => {
    const [source, ...others] = dashboard.templating.list;
    assert.deepEqual([source?.name, source?.type, source?.query], ['datasource', 'datasource', 'prometheus']);
    assert.deepEqual(
      others.map(({ name }) => name),
      ['job', 'instance'],
    );
    const sources = [
      ...panels.flatMap(({ datasource, targets = [] }) => [
        datasource,
        ...targets.map((each) => each.datasource),
      ]),
      ...others.map(({ datasource }) => datasource),
      ...dashboard.annotations.list.flatMap(({ expr, datasource }) =>
        expr === undefined ? [] : [datasource],
      ),
    ];
    for (const each of sources) {
      assert.equal(each?.type, 'prometheus');
      assert.match(each.uid, /^\$\{datasource\}$/);
    }
    const raw = panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));
    for (const { title, expr } of raw) {
      const { selectors } = readQuery(expr.replaceAll('$__rate_interval', '1m'));
      for (const { matchers } of selectors) {
        const asked = matchers.map(({ label, operator, value }) => label + operator + value);
        assert.ok(asked.includes('job=~$job') && asked.includes('instance=~$instance'), `${title}: ${expr}`);
      }
    }
  });

  it('has panels with their own ids, a title, a unit, and a description that is a sentence', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const titles = panels.map(({ title }) => title);
    assert.equal(new Set(titles).size, titles.length);
    for (const { title, description = '', fieldConfig, targets = [] } of panels) {
      assert.match(description, /\.$/, title);
      assert.ok(fieldConfig?.defaults.unit, title);
      const refs = targets.map(({ refId }) => refId);
      assert.ok(refs.length > 0 && new Set(refs).size === refs.length, title);
    }
  });

  it('has panels that stand within 24 columns and do not overlap, each below the row of its subject', () => {
    const cells = new Map<string, string>();
    for (const { title, gridPos } of dashboard.panels) {
      const { x, y, w, h } = gridPos;
      assert.ok(x >= 0 && w > 0 && h > 0 && x + w <= 24, title);
      for (const cell of cellsOf(gridPos)) {
        assert.equal(cells.get(cell), undefined, `${title} at ${x}, ${y}`);
        cells.set(cell, title);
      }
    }
    const tops = dashboard.panels.map(({ gridPos }) => gridPos.y);
    assert.deepEqual(
      tops,
      tops.toSorted((a, b) => a - b),
    );
    assert.equal(dashboard.panels[0]?.type, 'row');
  });

  it('shows exemplars with the times of requests', () => {
    const withExemplars = panels.filter(({ targets = [] }) => targets.some(({ exemplar }) => exemplar));
    assert.deepEqual(
      withExemplars.map(({ title }) => title),
      ['Time of requests'],
    );
  });
});

function cellsOf({ x, y, w, h }: Panel['gridPos']): string[] {
  const columns = Array.from({ length: w }, (_, column) => x + column);
  return columns.flatMap((column) => Array.from({ length: h }, (_, line) => `${column} ${y + line}`));
}

describe('the alerts', () => {
  const guide = readFileSync(new URL('../../docs/guides/alerts.md', import.meta.url), 'utf8');

  it('have a duration, a severity, a summary and a description', () => {
    const names = alerts.map(({ alert }) => alert);
    assert.ok(names.length > 20 && new Set(names).size === names.length);
    for (const { alert, for: duration, labels, annotations } of alerts) {
      assert.match(alert, /^Watchword[A-Z]\w+$/);
      assert.match(duration, /^\d+[mh]$/, alert);
      assert.ok(['critical', 'warning', 'info'].includes(labels.severity), alert);
      assert.match(annotations.summary, /[^.]$/, alert);
      assert.match(annotations.description, /\.$/, alert);
    }
  });

  it('depend on no name of a job or a server, which every operator chooses', () => {
    const named = alerts.filter(({ expr }) =>
      readQuery(expr).selectors.some(({ matchers }) =>
        matchers.some(({ label }) => targetLabels.includes(label)),
      ),
    );
    assert.deepEqual(named, []);
  });

  it('are each fired by a real fault in the checks of npm run check:deploy', () => {
    const cwd = new URL('.', import.meta.url);
    const texts = globSync('alerts-of-*.check.ts', { cwd }).map((file) =>
      readFileSync(new URL(file, cwd), 'utf8'),
    );
    const titles = texts.flatMap((text) => text.match(/(?<=\bit\(\s*')Watchword[^:']*/g) ?? []);
    const names = titles.flatMap((title) => title.split(', '));
    assert.deepEqual(names.toSorted(), alerts.map(({ alert }) => alert).toSorted());
  });

  it('name a section of the guide that says what to do, and the guide has no other', () => {
    const sections = alerts.map(({ alert, annotations: { runbook } }) => {
      assert.equal(runbook, `docs/guides/alerts.md#${alert.toLowerCase()}`);
      return alert.toLowerCase();
    });
    const found = anchors(guide).filter((anchor) => anchor.startsWith('watchword'));
    assert.deepEqual(found.toSorted(), sections.toSorted());
  });
});
