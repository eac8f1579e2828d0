import type { SessionResult } from './connection/session.ts';

/** The rows of an answer, each as a record by the names of the columns. */
export function toRecords(result: SessionResult | undefined): Record<string, unknown>[] {
  const { rows = [], columns = [] } = result ?? {};
  return rows.map((values) => {
    const record: Record<string, unknown> = {};
    columns.forEach((name, index) => {
      record[name] = plain(values[index]);
    });
    return record;
  });
}

/** Bytes as every dialect returns them. */
function plain(value: unknown): unknown {
  return Buffer.isBuffer(value) ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength) : value;
}
