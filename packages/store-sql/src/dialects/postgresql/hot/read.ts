import type { DatabaseValue } from '../../../hot/columns.ts';
import type { HotWork } from '../../../hot/hot-work.ts';
import type { LookupCall } from '../../../hot/lookup.ts';
import { withPlaceholders } from '../../../hot/sql-text.ts';
import type { SessionPool, SessionQuery, SessionResult } from '../connection/session.ts';
import { arrays, asColumns, columnsOf } from './form-text.ts';

type Lookup = LookupCall['lookup'];
type FoundRow = ReturnType<Lookup['toRow']> | undefined;

/** Lookups of one kind, with their places. */
interface Kind {
  readonly lookup: Lookup;
  readonly keys: (readonly DatabaseValue[])[];
  readonly places: number[];
}

/** The SQL for one key, and the SQL for any number of keys, which are arrays. It returns the position of the key first, counted from 1. */
export interface LookupTexts {
  readonly name: string;
  readonly one: string;
  readonly many: string;
}

/** Finds all rows in one round trip: one statement for the lookups of a kind. */
export function groupedReads(pool: SessionPool): HotWork['read'] {
  return async (calls) => (await readTogether(pool, calls)).found;
}

/** Finds all rows, and runs another statement before in the same round trip. */
export async function readTogether(
  pool: SessionPool,
  calls: readonly LookupCall[],
  before: readonly SessionQuery[] = [],
): Promise<{ readonly found: FoundRow[]; readonly before: readonly SessionResult[] }> {
  const kinds = kindsOf(calls);
  const found: FoundRow[] = calls.map(() => undefined);
  const queries = [...before, ...kinds.map(queryOf)];
  if (queries.length === 0) return { found, before: [] };
  const results = await pool.use((session) => session.pipeline(queries));
  for (const [index, { lookup, keys, places }] of kinds.entries()) {
    const { rows = [] } = results[before.length + index] ?? {};
    for (const row of rows as readonly (readonly DatabaseValue[])[]) {
      if (keys.length === 1) found[places[0] as number] = lookup.toRow(row);
      else found[places[Number(row[0]) - 1] as number] = lookup.toRow(row.slice(1));
    }
  }
  return { found, before: results.slice(0, before.length) };
}

function kindsOf(calls: readonly LookupCall[]): Kind[] {
  const kinds = new Map<Lookup, Kind>();
  for (const [place, { lookup, parameters }] of calls.entries()) {
    // PostgreSQL stores no such text, so there is no row.
    if (parameters.some((value) => typeof value === 'string' && value.includes('\0'))) continue;
    let kind = kinds.get(lookup);
    if (kind === undefined) {
      kind = { lookup, keys: [], places: [] };
      kinds.set(lookup, kind);
    }
    kind.keys.push(parameters);
    kind.places.push(place);
  }
  return [...kinds.values()];
}

const texts = new Map<Lookup, LookupTexts>();

function textsOf(lookup: Lookup): LookupTexts {
  const known = texts.get(lookup);
  if (known !== undefined) return known;
  const made = lookupTexts(lookup, `lookup_${texts.size}`);
  texts.set(lookup, made);
  return made;
}

function queryOf({ lookup, keys }: Kind): SessionQuery {
  const { name, one, many } = textsOf(lookup);
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) return { name: `${name}_one`, text: one, values: only };
  const values = lookup.names.map((_, index) => keys.map((key) => key[index]));
  return { name: `${name}_many`, text: many, values };
}

export function lookupTexts(lookup: Lookup, name: string): LookupTexts {
  return {
    name,
    one: withPlaceholders(lookup, (position) => `$${position}`),
    many: `select v.ordinal, found.*
      from ${arrays(lookup.parameters, 1)} as v (${columnsOf(lookup.parameters)})
      cross join lateral (${asColumns(lookup.sql)}) as found`,
  };
}
