import type { Hours, IssuedCount, IssuedToClient, StatisticsStore } from '@watchword/protocol';
import { type Kysely, sql } from 'kysely';
import { inParts } from '../queries/in-parts.ts';
import type { Schema } from '../schema/schema.ts';

// Of each hour, so that the cost does not depend on the number of clients.
const busiestOfHour = 20;
// Databases limit the number of parts of a compound statement.
const hoursPerStatement = 100;
// Of the clients found, those whose exact numbers are read.
const maxCandidates = 100;

/** The number of tokens issued to each client in each hour. */
export function issuedToClient(db: Kysely<Schema>): Pick<StatisticsStore, 'issuedTo' | 'busiest'> {
  const issuedTo: StatisticsStore['issuedTo'] = async (clientRecordIds, { from, until }) => {
    const found: IssuedToClient[] = [];
    for (const ids of inParts(clientRecordIds)) {
      const rows = await db
        .selectFrom('issued_to_client')
        .select('client_record_id')
        .select(({ fn }) => fn.max<number>('epoch_hour').as('last_hour'))
        .select(({ eb, fn }) =>
          fn
            .sum<number>(eb.case().when('epoch_hour', '>=', from).then(eb.ref('tokens')).else(0).end())
            .as('tokens'),
        )
        .where('client_record_id', 'in', ids)
        .where('epoch_hour', '<', until)
        .groupBy('client_record_id')
        .execute();
      found.push(
        ...rows.map(({ client_record_id, last_hour, tokens }) => ({
          clientRecordId: client_record_id,
          tokens: Number(tokens),
          lastHour: last_hour,
        })),
      );
    }
    return found;
  };
  return {
    issuedTo,
    async busiest(hours, limit) {
      const candidates = [...(await candidatesOf(db, hours))]
        .sort(([, a], [, b]) => b - a)
        .slice(0, maxCandidates)
        .map(([id]) => id);
      return (await issuedTo(candidates, hours))
        .sort((a, b) => b.tokens - a.tokens || a.clientRecordId - b.clientRecordId)
        .slice(0, limit);
    },
  };
}

/** Adds the numbers, in the transaction of the caller, and in the order of the keys. */
export async function addIssuedToClients(db: Kysely<Schema>, counts: readonly IssuedCount[]): Promise<void> {
  const rows: { readonly client: number; readonly hour: number; tokens: number }[] = [];
  const inOrder = counts.toSorted((a, b) => a.clientRecordId - b.clientRecordId || a.hour - b.hour);
  for (const { clientRecordId: client, hour, tokens } of inOrder) {
    const last = rows.at(-1);
    if (last?.client === client && last.hour === hour) last.tokens += tokens;
    else rows.push({ client, hour, tokens });
  }
  if (rows.length === 0) return;
  // As text: building and binding a parameter for each number takes five times as long.
  const values = rows.map(({ client, hour, tokens }) => `(${client}, ${hour}, ${tokens})`);
  await sql`insert into issued_to_client (client_record_id, epoch_hour, tokens) values ${sql.raw(values.join())}
    on conflict (client_record_id, epoch_hour) do update set tokens = issued_to_client.tokens + excluded.tokens`.execute(
    db,
  );
}

/** The busiest clients of each hour, with the numbers of tokens in those hours. */
async function candidatesOf(db: Kysely<Schema>, { from, until }: Hours): Promise<Map<number, number>> {
  const found = new Map<number, number>();
  for (let start = from; start < until; start += hoursPerStatement) {
    const end = Math.min(start + hoursPerStatement, until);
    const [first, ...others] = Array.from({ length: end - start }, (_, index) => ofHour(db, start + index));
    if (first === undefined) continue;
    const rows = await others.reduce((all, next) => all.unionAll(next), first).execute();
    for (const { client_record_id: id, tokens } of rows) found.set(id, (found.get(id) ?? 0) + tokens);
  }
  return found;
}

function ofHour(db: Kysely<Schema>, hour: number) {
  return db
    .selectFrom((from) =>
      from
        .selectFrom('issued_to_client')
        .select(['client_record_id', 'tokens'])
        .where('epoch_hour', '=', hour)
        .orderBy('tokens', 'desc')
        .limit(busiestOfHour)
        .as('busiest'),
    )
    .select(['client_record_id', 'tokens']);
}
