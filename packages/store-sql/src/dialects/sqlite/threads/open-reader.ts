import { DatabaseSync } from 'node:sqlite';

export interface ReaderSettings {
  readonly file: string;
  /** Milliseconds to wait for another process's lock. */
  readonly busyTimeout: number;
}

/**
 * Opens a connection that only reads. Page cache (kB) and memory map are set by measurement: SQLite drops both when
 * another connection has written, so larger ones cost more than they save.
 */
export function openReader({ file, busyTimeout }: ReaderSettings): DatabaseSync {
  const db = new DatabaseSync(file, { readOnly: true, timeout: busyTimeout });
  db.exec('pragma cache_size = -2000; pragma mmap_size = 0');
  return db;
}
