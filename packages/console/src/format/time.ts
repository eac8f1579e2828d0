import { duration } from '../texts/format.ts';
import { language, t } from '../texts/texts.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const units = [
  ['day', day],
  ['hour', hour],
  ['minute', minute],
  ['second', second],
] as const;

// Made once: making one takes longer than using it.
let formats:
  | {
      readonly language: string;
      readonly times: Intl.DateTimeFormat;
      readonly zoned: Intl.DateTimeFormat;
      readonly relative: Intl.RelativeTimeFormat;
    }
  | undefined;

function formatsOf(wanted: string) {
  if (formats?.language !== wanted) {
    formats = {
      language: wanted,
      times: new Intl.DateTimeFormat(wanted, { dateStyle: 'medium', timeStyle: 'medium' }),
      zoned: new Intl.DateTimeFormat(wanted, { dateStyle: 'medium', timeStyle: 'long' }),
      relative: new Intl.RelativeTimeFormat(wanted, { numeric: 'auto' }),
    };
  }
  return formats;
}

/** A time as people read it. @param time epoch milliseconds */
export function timeText(time: number): string {
  return formatsOf(language()).times.format(time);
}

/** The same with the time zone. */
export function zonedTimeText(time: number): string {
  return formatsOf(language()).zoned.format(time);
}

/** Seconds in words: "1 hour 30 minutes". */
export function durationText(seconds: number, unitDisplay: 'long' | 'short' = 'long'): string {
  return duration(seconds, language(), unitDisplay);
}

/** How far away a time is: "in 3 hours", "2 days ago". */
export function fromNow(time: number, now: number): string {
  const distance = time - now;
  const [unit, length] = units.find(([, length]) => Math.abs(distance) >= length) ?? ['second', second];
  return formatsOf(language()).relative.format(Math.trunc(distance / length), unit);
}

interface Expiring {
  readonly expireDuration: number;
  readonly allowedImplicitGrant: boolean;
}

/** The lifetime of access tokens of a client. Tokens that are part of an address (implicit grant) always expire. */
export function lifetime(client: Expiring, implicitLifetime: number): string {
  const { expireDuration, allowedImplicitGrant } = client;
  if (expireDuration > 0) return durationText(expireDuration);
  return allowedImplicitGrant ? t('lifetime.implicit', { seconds: implicitLifetime }) : t('lifetime.none');
}

/** A time as `input[type=datetime-local]` has it, in the time zone of the browser; `''` for 0. */
export function toLocalText(time: number): string {
  if (time === 0) return '';
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** Epoch milliseconds of the midnight at which a day of `input[type=date]` begins, or the one after it; `undefined` for none. */
export function midnight(day: string, daysLater = 0): number | undefined {
  const [, year, month, date] = /^(\d{4,6})-(\d\d)-(\d\d)$/.exec(day)?.map(Number) ?? [];
  if (year === undefined || month === undefined || date === undefined) return undefined;
  const time = new Date(year, month - 1, date + daysLater).getTime();
  return time >= 0 ? time : undefined;
}

/** Epoch milliseconds; 0 for `''`. */
export function fromLocalText(text: string): number {
  return text === '' ? 0 : new Date(text).getTime();
}
