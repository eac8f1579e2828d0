const dateTimePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** Epoch milliseconds of a time in UTC (Core §1.3.3); `undefined` for any other text. */
export function parseDateTime(text: string | undefined): number | undefined {
  if (text === undefined || !dateTimePattern.test(text)) return undefined;
  const timestamp = Date.parse(text);
  return Number.isNaN(timestamp) ? undefined : timestamp;
}
