import { numberText } from '../format/count.ts';
import { t } from '../texts/texts.ts';
import './charts.css';
import type { ReactNode } from 'react';

export interface Bar {
  readonly key: string;
  readonly label: ReactNode;
  readonly value: number;
  /** How the value is written, when not as the number that it is. */
  readonly text?: string;
}

interface BarsProps {
  /** What is compared, for screen readers. */
  readonly label: string;
  readonly bars: readonly Bar[];
  readonly color?: number;
}

const mostShown = 8;

/** Compares numbers by their names, the largest first. */
export function Bars({ label, bars, color = 0 }: BarsProps) {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  const ordered = bars.toSorted((a, b) => b.value - a.value);
  const shown = ordered.slice(0, mostShown);
  const rest = ordered.slice(mostShown);
  return (
    <>
      <ul className="bars" aria-label={label}>
        {shown.map(({ key, label, value, text = numberText(value) }) => (
          <li key={key}>
            <span className="bar-label">{label}</span>
            <span className="bar-value">{text}</span>
            <span className="bar" data-series={color} style={{ inlineSize: `${(100 * value) / largest}%` }} />
          </li>
        ))}
      </ul>
      {rest.length > 0 && (
        <p className="quiet bars-rest">
          {t('chart.rest', { bars: rest.length, sum: rest.reduce((sum, { value }) => sum + value, 0) })}
        </p>
      )}
    </>
  );
}
