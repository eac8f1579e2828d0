import { fromNow, timeText, zonedTimeText } from '../format/time.ts';
import { t } from '../texts/texts.ts';

interface TimestampProps {
  /** Epoch milliseconds; 0 = never. */
  readonly time: number;
  /** It shows the time itself. */
  readonly isExact?: boolean;
}

/** How long ago a time was, or in how long it will be; the time itself on hovering, with its zone and as ISO 8601. */
export function Timestamp({ time, isExact = false }: TimestampProps) {
  if (time === 0) return <span className="quiet">{t('time.never')}</span>;
  const iso = new Date(time).toISOString();
  return (
    <time dateTime={iso} title={`${zonedTimeText(time)}\n${iso}`} className="timestamp">
      {isExact ? timeText(time) : fromNow(time, Date.now())}
    </time>
  );
}
