import { findDamage } from './damage.ts';
import { isDamage, toFault } from './faults.ts';
import { requireFile } from './files.ts';
import { toOpenError } from './store-errors.ts';

/** Reads the whole database, beside a running server; what is damaged, in SQLite's words. @throws DatabaseOpenError */
export function checkSqlite(file: string): string[] {
  requireFile(file);
  try {
    return findDamage(file);
  } catch (error) {
    const fault = toFault(error);
    if (isDamage(fault)) return [fault.message];
    throw toOpenError(file, fault);
  }
}
