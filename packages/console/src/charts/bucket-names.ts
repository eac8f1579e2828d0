import type { Bucket, Range } from './buckets.ts';

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const day = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short' });
const shortDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

/** "Sat, Nov 21, 14:00–15:00". */
export function bucketName({ from, until }: Bucket, { bucketHours }: Range): string {
  if (bucketHours === 24) return day.format(from);
  return `${day.format(from)}, ${clock.format(from)}–${clock.format(until)}`;
}

/** What stands below a column; most have nothing, for want of room. */
export function tickName({ from }: Bucket, index: number, { bucketHours }: Range): string {
  const hour = new Date(from).getHours();
  if (bucketHours === 1) return hour % 6 === 0 ? clock.format(from) : '';
  if (bucketHours === 6) return hour === 0 ? shortDay.format(from) : '';
  return index % 5 === 0 ? shortDay.format(from) : '';
}
