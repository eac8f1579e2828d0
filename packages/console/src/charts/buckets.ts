import type { IssuedInHour } from '@watchword/admin-client';

/** The time that a column of the chart represents. */
export interface Bucket {
  /** Epoch milliseconds; the end is not part of it. */
  readonly from: number;
  readonly until: number;
  /** Tokens by grant type. */
  readonly tokens: Readonly<Record<string, number>>;
  readonly total: number;
}

/** How far back the chart goes, and how wide its columns are: hours that divide a day, beginning at midnight. */
export interface Range {
  readonly key: 'day' | 'week' | 'month';
  readonly hours: number;
  readonly bucketHours: 1 | 6 | 24;
}

export const ranges = [
  { key: 'day', hours: 24, bucketHours: 1 },
  { key: 'week', hours: 168, bucketHours: 6 },
  { key: 'month', hours: 744, bucketHours: 24 },
] as const satisfies readonly Range[];

const hourMs = 3_600_000;

/** Sorts issued tokens into buckets, in the user's time zone; empty buckets are there too. */
export function bucketsOf(issued: readonly IssuedInHour[], range: Range, now: number): readonly Bucket[] {
  const firstHour = Math.floor(now / hourMs) * hourMs - (range.hours - 1) * hourMs;
  const buckets: { from: number; until: number; tokens: Record<string, number>; total: number }[] = [];
  let from = bucketStart(firstHour, range.bucketHours);
  while (from <= now) {
    const until = nextStart(from, range.bucketHours);
    buckets.push({ from, until, tokens: {}, total: 0 });
    from = until;
  }
  for (const { time, grantType, tokens } of issued) {
    const bucket = buckets.findLast((candidate) => candidate.from <= time);
    if (bucket === undefined) continue;
    bucket.tokens[grantType] = (bucket.tokens[grantType] ?? 0) + tokens;
    bucket.total += tokens;
  }
  return buckets;
}

function bucketStart(time: number, hours: Range['bucketHours']): number {
  const date = new Date(time);
  date.setMinutes(0, 0, 0);
  date.setHours(Math.floor(date.getHours() / hours) * hours);
  return date.getTime();
}

/** By the clock on the wall, so that a day with a change of the clock is one bucket too. */
function nextStart(from: number, hours: Range['bucketHours']): number {
  if (hours === 1) return from + hourMs;
  const date = new Date(from);
  date.setHours(date.getHours() + hours);
  return date.getTime();
}
