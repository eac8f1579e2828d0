import { coarsestTimeUnit } from '@watchword/protocol';
import { type RawBuilder, sql } from 'kysely';

/** `latestCreationDate` of the protocol, of a row of `client`. @param now epoch milliseconds */
export function latestCreationDate(now: number): RawBuilder<number> {
  const unit = sql.lit(coarsestTimeUnit);
  const next = sql`(tokens_valid_from / ${unit} + 1) * ${unit}`;
  return sql<number>`case when tokens_valid_from > 0 and ${next} > ${now} then ${next} else ${now} end`;
}
