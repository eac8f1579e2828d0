import assert from 'node:assert/strict';

/** A metric of Prometheus with all of its series. */
export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram' | 'summary';
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const metricName = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const label = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\["\\\\n])*)"';
const sampleLine = new RegExp(`^(${metricName})(?:\\{(${label}(?:,${label})*)\\})? (\\S+)$`);
const descriptionLine = new RegExp(`^# (HELP|TYPE) (${metricName}) (.+)$`);
const suffixes = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/**
 * Reads the text format of Prometheus, version 0.0.4, and accepts only what the format permits and a server should write: each
 * metric has HELP and TYPE, once and before its samples, its lines are together, and no series is there twice.
 */
export function parseExposition(text: string): MetricFamily[] {
  assert.ok(text.endsWith('\n'), 'the text ends with a line feed');
  const families: (MetricFamily & { samples: Sample[] })[] = [];
  const seen = new Set<string>();
  const lines: string[] = text
    .slice(0, -1)
    .split('\n')
    .filter((line) => line !== '');
  for (let index = 0; index < lines.length; ) {
    const [help, type] = [descriptionOf(lines[index]), descriptionOf(lines[index + 1])];
    assert.deepEqual([help.kind, type.kind, type.name], ['HELP', 'TYPE', help.name], help.name);
    assert.ok(type.text in suffixes, type.name);
    assert.ok(!families.some(({ name }) => name === help.name), `${help.name} is described once`);
    const family = {
      name: help.name,
      help: help.text,
      type: type.text as MetricFamily['type'],
      samples: [] as Sample[],
    };
    families.push(family);
    for (index += 2; index < lines.length && !lines[index]?.startsWith('#'); index += 1) {
      const line = lines[index] ?? '';
      const sample = sampleOf(line);
      const names = suffixes[family.type].map((suffix) => family.name + suffix);
      assert.ok(names.includes(sample.name), `${line} belongs to ${family.name}`);
      const series = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).toSorted())}`;
      assert.ok(!seen.has(series), `${line} is there once`);
      seen.add(series);
      family.samples.push(sample);
    }
    if (family.type === 'histogram') checkHistogram(family);
  }
  return families;
}

/** The value of a series. */
export function seriesValue(
  families: readonly MetricFamily[],
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const samples = families.flatMap((family) => family.samples);
  return samples.find(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )?.value;
}

function descriptionOf(line = ''): { kind: string; name: string; text: string } {
  const [, kind = '', name = '', text = ''] = descriptionLine.exec(line) ?? [];
  assert.ok(kind !== '', `expected HELP or TYPE, got ${line}`);
  return { kind, name, text };
}

function sampleOf(line: string): Sample {
  const found = sampleLine.exec(line);
  assert.ok(found !== null, `expected a sample, got ${line}`);
  const given = [...(found[2] ?? '').matchAll(new RegExp(label, 'g'))].map(([, key = '', value = '']) => [
    key,
    value,
  ]);
  const labels = Object.fromEntries(given);
  assert.equal(Object.keys(labels).length, given.length, `${line} has each label once`);
  const number = found.at(-1) ?? '';
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : number === 'Nan' ? Number.NaN : Number(number);
  assert.ok(number !== '' && !(Number.isNaN(value) && number !== 'Nan'), `${line} has a number`);
  return { name: found[1] ?? '', labels, value };
}

/** Buckets are cumulative, and the last one is the count. */
function checkHistogram({ name, samples }: MetricFamily): void {
  const series = Map.groupBy(samples, ({ labels: { le: _le, ...rest } }) =>
    JSON.stringify(Object.entries(rest).toSorted()),
  );
  for (const [labels, ofSeries] of series) {
    const buckets = ofSeries.filter((sample) => sample.name === `${name}_bucket`);
    const bounds = buckets.map(({ labels: { le } }) =>
      le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le),
    );
    const ascending = (values: readonly number[]) => values.toSorted((a, b) => a - b);
    assert.deepEqual(bounds, ascending(bounds), `${name} ${labels}`);
    const counts = buckets.map(({ value }) => value);
    assert.deepEqual(counts, ascending(counts), `${name} ${labels}`);
    assert.equal(bounds.at(-1), Number.POSITIVE_INFINITY, `${name} ${labels}`);
    assert.equal(counts.at(-1), ofSeries.find((sample) => sample.name === `${name}_count`)?.value);
    assert.ok(
      ofSeries.some((sample) => sample.name === `${name}_sum`),
      `${name} ${labels}`,
    );
  }
}
