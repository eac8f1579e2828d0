import type { IssuedInHour } from '@watchword/admin-client';
import { language, t } from '../texts/texts.ts';

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

/** The ends of an axis and its lines: round numbers, at most `lines` of them above zero. */
export function axisOf(
  highest: number,
  lines = 4,
): { readonly end: number; readonly ticks: readonly number[] } {
  const step = roundUp(Math.max(highest, 1) / lines);
  const count = Math.max(1, Math.ceil(highest / step));
  return {
    end: step * count,
    ticks: Array.from({ length: count + 1 }, (_, index) => index * step),
  };
}

/** The next number of the series 1, 2, 5, 10, 20, 50, …: tokens are counted, so no step is less than one. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  const step = [1, 2, 5, 10].find((factor) => factor * power >= value) ?? 10;
  return step * power;
}

/** Grant types in the order in which they are stacked, which is that of their colours. */
const grantTypes = [
  'client_credentials',
  'authorization_code',
  'refresh_token',
  'implicit',
  'administration',
] as const;

export interface Series {
  readonly key: string;
  readonly label: string;
  /** Number of its colour. */
  readonly color: number;
}

/** The grant types with issued tokens. Grant types that are unknown to these pages come last. */
export function seriesOf(found: ReadonlySet<string>): readonly Series[] {
  const known = grantTypes.map((key, color) => ({ key, label: t(`grantType.${key}`), color }));
  const unknown = [...found]
    .filter((key) => !grantTypes.some((type) => type === key))
    .map((key) => ({ key, label: key, color: grantTypes.length }));
  return [...known.filter(({ key }) => found.has(key)), ...unknown];
}

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
