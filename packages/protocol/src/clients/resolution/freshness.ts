/** Seconds: whatever a host says, it is asked no more often and no later. */
const least = 60;
const most = 86_400;
// For an answer that says nothing of it.
const usual = 300;

export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Seconds for which a document is used before it is read again, by the headers of its answer (RFC 9111 §4.2) and within limits
 * (draft-ietf-oauth-client-id-metadata-document-02 §5.2).
 *
 * @param now epoch milliseconds
 */
export function secondsFresh(headers: AnswerHeaders, now: number): number {
  return Math.min(most, Math.max(least, lifetime(headers, now) - seconds(text(headers, 'age'), 0)));
}

function lifetime(headers: AnswerHeaders, now: number): number {
  const directives = text(headers, 'cache-control').toLowerCase();
  if (/(?:^|[\s,])no-(?:store|cache)(?:$|[\s,=])/.test(directives)) return 0;
  const age = /(?:^|[\s,])s-maxage="?(\d+)/.exec(directives) ?? /(?:^|[\s,])max-age="?(\d+)/.exec(directives);
  if (age !== null) return seconds(age[1] ?? '', most);
  const expires = text(headers, 'expires');
  if (expires === '') return usual;
  const until = Date.parse(expires);
  const from = Date.parse(text(headers, 'date'));
  // A date that cannot be read is in the past (RFC 9111 §5.3).
  return Number.isNaN(until) ? 0 : (until - (Number.isNaN(from) ? now : from)) / 1000;
}

function seconds(digits: string, otherwise: number): number {
  return /^\d{1,12}$/.test(digits) ? Number(digits) : otherwise;
}

function text(headers: AnswerHeaders, name: string): string {
  const value = headers[name] ?? '';
  return typeof value === 'string' ? value : value.join(', ');
}
