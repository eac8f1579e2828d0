/** A time as `input[type=datetime-local]` has it, in the time zone of the browser; `''` for 0. */
export function toLocalText(time: number): string {
  if (time === 0) return '';
  const local = new Date(time - new Date(time).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 19);
}

/** Epoch milliseconds; 0 for `''`. */
export function fromLocalText(text: string): number {
  return text === '' ? 0 : new Date(text).getTime();
}
