import { fromNow, timeText } from '../format/time.ts';
import { t } from '../texts/texts.ts';

interface TimestampProps {
  /** Epoch milliseconds; 0 = never. */
  readonly time: number;
}

/** How long ago a time was, or in how long it will be; the time itself on hovering. */
export function Timestamp({ time }: TimestampProps) {
  if (time === 0) return <span className="quiet">{t('time.never')}</span>;
  return (
    <time dateTime={new Date(time).toISOString()} title={timeText(time)} className="timestamp">
      {fromNow(time, Date.now())}
    </time>
  );
}
