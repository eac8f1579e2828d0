import type { SessionResult } from './connection/session.ts';

/** The rows of an answer, each as a record by the names of the columns. */
export function toRecords(result: SessionResult | undefined): Record<string, unknown>[] {
  const { rows = [], columns = [] } = result ?? {};
  return rows.map((values) => {
    const record: Record<string, unknown> = {};
    columns.forEach((name, index) => {
      record[name] = values[index];
    });
    return record;
  });
}
