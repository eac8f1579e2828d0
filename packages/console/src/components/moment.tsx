import { fromNow, moment } from '../format/time.ts';

interface MomentProps {
  /** Epoch milliseconds; 0 = never. */
  readonly time: number;
}

/** How long ago something was, or in how long it will be; the moment itself on hovering. */
export function Moment({ time }: MomentProps) {
  if (time === 0) return <span className="quiet">never</span>;
  return (
    <time dateTime={new Date(time).toISOString()} title={moment(time)} className="moment">
      {fromNow(time, Date.now())}
    </time>
  );
}
