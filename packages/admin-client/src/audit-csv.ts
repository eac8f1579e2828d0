import type { AuditEvent } from './records.ts';

const columns = [
  ...([
    'time',
    'action',
    'recordType',
    'recordName',
    'recordId',
    'actor',
    'actorAuthority',
    'clientId',
  ] as const),
  ...(['source', 'owner', 'ownerAuthority', 'before', 'after', 'id', 'clientName'] as const),
];

/** A spreadsheet takes a text that begins like this for a formula, also within quotation marks. */
const formula = /^[\s\p{Cc}]*[=+\-@＝＋－＠|%]|^[\t\r\n]/u;

/** The first line of a CSV file of audit events. */
export const auditCsvHead = lineOf(columns);

/** Lines of a CSV file (RFC 4180), without the first one. Times are in UTC (ISO 8601), changed fields are JSON. */
export function auditCsv(events: readonly AuditEvent[]): string {
  return events
    .map((event) =>
      lineOf(columns.map((name) => (name === 'time' ? new Date(event.time).toISOString() : event[name]))),
    )
    .join('');
}

function lineOf(values: readonly unknown[]): string {
  return `${values.map(cellOf).join(',')}\r\n`;
}

/** Quotation marks around each cell: a semicolon within a text begins no cell of its own. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '""';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `"${formula.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`;
}
