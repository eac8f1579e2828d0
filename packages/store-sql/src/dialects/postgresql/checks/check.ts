import type { Clock } from '@watchword/protocol';
import type { Kysely } from 'kysely';
import type { Schema } from '../../../schema/schema.ts';
import type { PostgresqlSettings } from '../options.ts';

/** What a check reads. */
export interface Checked {
  readonly db: Kysely<Schema>;
  /** The connections of this process that are open. */
  readonly open: () => number;
  readonly settings: PostgresqlSettings;
  readonly clock: Clock;
}

/** The result of a check, in sentences with advice. */
export interface CheckResult {
  /** What was checked, with the value that was found. */
  readonly checked: string;
  /** What keeps servers from working, or loses tokens. */
  readonly findings?: readonly string[];
  readonly warnings?: readonly string[];
}

export type Check = (checked: Checked) => Promise<CheckResult>;
