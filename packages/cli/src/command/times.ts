import { shown } from '@watchword/protocol';
import { UsageError } from './usage-error.ts';

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Reads a time with its zone as epoch milliseconds. @param until epoch milliseconds: now, if a later time makes no sense @throws UsageError */
export function timeOption(name: string, until?: () => number) {
  return (text: string): number => {
    const time = timeForm.test(text) ? Date.parse(text) : Number.NaN;
    if (time > 0 && (until === undefined || time <= until())) return time;
    const what = until === undefined ? 'a time' : 'a time in the past';
    throw new UsageError(
      `${name}: expected ${what} with its zone, such as 2026-11-22T20:00Z, got ${shown(text, 80)}`,
    );
  };
}
