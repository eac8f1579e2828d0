/**
 * What became of the role and password of the database.
 *
 * - `renewed`: the database accepted those that the file has now
 * - `unchanged`: the file was to be read again, and has those that are in use
 * - `no-file`: the file was to be read again, and the URL came from elsewhere
 * - `refused`: the database accepts neither those in use nor those of the file
 * - `unreadable`: the file cannot be read, or has no URL, as while it is written
 * - `elsewhere`: the URL in the file names other hosts or another database than at the start
 */
export type LoginEvent = 'renewed' | 'unchanged' | 'no-file' | 'refused' | 'unreadable' | 'elsewhere';

/** A server that accepts writes, as it describes itself. */
export interface Primary {
  /** The host of the URL under which it was found. */
  readonly host: string;
  /** Servers that were copied from one another have the same. */
  readonly system: string;
  /** When it was started: different servers differ in it, and two names of one do not. */
  readonly startedAt: string;
  /** Each promotion begins a new one. */
  readonly timeline: number;
}

/** What became of the primary. */
export type PrimaryEvent =
  | { readonly kind: 'changed'; readonly from: Primary; readonly to: Primary }
  | { readonly kind: 'stopped'; readonly problem: string }
  | { readonly kind: 'goes-on' };
