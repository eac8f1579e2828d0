import { coarsestTimeUnit } from '@watchword/protocol';
import { type RawBuilder, sql } from 'kysely';

/** The first free candidate. `holder` looks up the record that has a candidate, in the transaction that will use it. */
export async function firstFree(
  candidates: Iterable<string>,
  holder: (candidate: string) => Promise<unknown>,
): Promise<string> {
  for (const candidate of candidates) {
    if ((await holder(candidate)) === undefined) return candidate;
  }
  throw new Error('every candidate is taken');
}

/** `latestCreationDate` of the protocol, of a row of `client`. @param now epoch milliseconds */
export function latestCreationDate(now: number): RawBuilder<number> {
  const unit = sql.lit(coarsestTimeUnit);
  const next = sql`(tokens_valid_from / ${unit} + 1) * ${unit}`;
  return sql<number>`case when tokens_valid_from > 0 and ${next} > ${now} then ${next} else ${now} end`;
}
