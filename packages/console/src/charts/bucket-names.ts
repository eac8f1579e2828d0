import { language } from '../texts/texts.ts';
import type { Bucket, Range } from './buckets.ts';

const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const day = { weekday: 'short', day: 'numeric', month: 'short' } as const;
const shortDay = { day: 'numeric', month: 'short' } as const;

/** "Sat, Nov 21, 14:00–15:00". */
export function bucketName({ from, until }: Bucket, { bucketHours }: Range): string {
  if (bucketHours === 24) return timeIn(from, day);
  return `${timeIn(from, day)}, ${timeIn(from, clock)}–${timeIn(until, clock)}`;
}

/** What stands below a column; most have nothing, for want of room. */
export function tickName({ from }: Bucket, index: number, { bucketHours }: Range): string {
  const hour = new Date(from).getHours();
  if (bucketHours === 1) return hour % 6 === 0 ? timeIn(from, clock) : '';
  if (bucketHours === 6) return hour === 0 ? timeIn(from, shortDay) : '';
  return index % 5 === 0 ? timeIn(from, shortDay) : '';
}

function timeIn(time: number, format: Intl.DateTimeFormatOptions): string {
  return new Date(time).toLocaleString(language(), format);
}
