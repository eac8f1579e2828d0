const dateTimePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?Z$/;

/** Epoch milliseconds of a time as SAML writes it, in UTC (Core §1.3.3); `undefined` for anything else. */
export function parseDateTime(text: string | undefined): number | undefined {
  if (text === undefined || !dateTimePattern.test(text)) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : moment;
}
