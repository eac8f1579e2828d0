import { rich } from '../texts/rich.tsx';
import { t } from '../texts/texts.ts';
import './charts.css';
import type { IssuedInHour } from '@watchword/admin-client';
import { useState } from 'react';
import { numberText } from '../format/count.ts';
import {
  axisOf,
  type Bucket,
  bucketName,
  bucketsOf,
  type Range,
  type Series,
  seriesOf,
  tickName,
} from './figures.ts';

interface IssuedChartProps {
  readonly issued: readonly IssuedInHour[];
  readonly range: Range;
  readonly now: number;
}

/** Tokens issued over time, a column for each span, stacked by grant. The same numbers are there as a table. */
export function IssuedChart({ issued, range, now }: IssuedChartProps) {
  const [pointed, setPointed] = useState<number | undefined>();
  const buckets = bucketsOf(issued, range, now);
  const series = seriesOf(new Set(issued.map(({ grantType }) => grantType)));
  const axis = axisOf(Math.max(...buckets.map(({ total }) => total)));
  const shown = pointed === undefined ? undefined : buckets[pointed];
  if (series.length === 0) {
    return (
      <div className="chart-empty">
        <p>{t('chart.none', { span: t(`range.in.${range.key}`) })}</p>
        <p className="quiet">{t('chart.noneAdvice')}</p>
      </div>
    );
  }
  return (
    <figure className="issued-chart">
      <div className="chart-head" aria-hidden="true">
        <Readout bucket={shown} buckets={buckets} range={range} />
        <ul className="legend">
          {series.map(({ key, label, color }) => (
            <li key={key} data-series={color}>
              {label}
              {shown !== undefined && <strong>{numberText(shown.tokens[key] ?? 0)}</strong>}
            </li>
          ))}
        </ul>
      </div>
      <div className="plot" aria-hidden="true" onPointerLeave={() => setPointed(undefined)}>
        {axis.ticks.map((tick) => (
          <div key={tick} className="gridline" style={{ bottom: `${(100 * tick) / axis.end}%` }}>
            <span>{numberText(tick)}</span>
          </div>
        ))}
        <div className="columns">
          {buckets.map((bucket, index) => (
            <div
              key={bucket.from}
              className="column"
              data-pointed={index === pointed}
              onPointerEnter={() => setPointed(index)}
            >
              <Stack bucket={bucket} series={series} end={axis.end} />
              <span className="column-name">{tickName(bucket, index, range)}</span>
            </div>
          ))}
        </div>
      </div>
      <AsTable buckets={buckets} series={series} range={range} />
    </figure>
  );
}

interface StackProps {
  readonly bucket: Bucket;
  readonly series: readonly Series[];
  readonly end: number;
}

function Stack({ bucket, series, end }: StackProps) {
  return (
    <div className="stack-of">
      {series.map(({ key, color }) => {
        const tokens = bucket.tokens[key] ?? 0;
        return (
          tokens > 0 && <div key={key} data-series={color} style={{ height: `${(100 * tokens) / end}%` }} />
        );
      })}
    </div>
  );
}

interface ReadoutProps {
  readonly bucket: Bucket | undefined;
  readonly buckets: readonly Bucket[];
  readonly range: Range;
}

function Readout({ bucket, buckets, range }: ReadoutProps) {
  const total = bucket?.total ?? buckets.reduce((sum, { total }) => sum + total, 0);
  return (
    <p className="readout">
      {rich('chart.readout', {
        total,
        span: bucket === undefined ? t(`range.in.${range.key}`) : bucketName(bucket, range),
      })}
    </p>
  );
}

function AsTable({
  buckets,
  series,
  range,
}: { readonly buckets: readonly Bucket[] } & Pick<IssuedChartProps, 'range'> & {
    readonly series: readonly Series[];
  }) {
  const filled = buckets.filter(({ total }) => total > 0);
  const total = filled.reduce((sum, bucket) => sum + bucket.total, 0);
  return (
    <details className="as-table">
      <summary>
        {t('chart.asTable')}
        <span className="visually-hidden">
          : {t('chart.issued', { tokens: total, span: t(`range.in.${range.key}`) })}
        </span>
      </summary>
      <div className="as-table-frame">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('chart.when')}</th>
              {series.map(({ key, label }) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
              <th scope="col">{t('chart.all')}</th>
            </tr>
          </thead>
          <tbody>
            {filled.map((bucket) => (
              <tr key={bucket.from}>
                <th scope="row">{bucketName(bucket, range)}</th>
                {series.map(({ key }) => (
                  <td key={key}>{numberText(bucket.tokens[key] ?? 0)}</td>
                ))}
                <td>{numberText(bucket.total)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}
