import type { DatabaseValue } from '../../../hot/columns.ts';
import type { HotWork } from '../../../hot/hot-work.ts';
import type { LookupCall } from '../../../hot/lookup.ts';
import { type ByKey, withPlaceholders } from '../../../hot/operation.ts';
import type { SessionPool, SessionQuery } from '../connection/session.ts';
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

/** How an engine reads. */
export interface LookupForm {
  textsOf(lookup: Lookup): LookupTexts;
  /** The values of the parameters of the texts. */
  keyOf(call: LookupCall): readonly DatabaseValue[];
  /** Lookups of different places are not read by one statement. */
  placeOf(key: readonly DatabaseValue[]): number;
}

/** Finds all rows in one round trip: one statement for the lookups of a kind. */
export function groupedReads(pool: SessionPool, form: LookupForm = plainForm): HotWork['read'] {
  return async (calls) => {
    const kinds = kindsOf(calls, form);
    const found: FoundRow[] = calls.map(() => undefined);
    if (kinds.length === 0) return found;
    const queries = kinds.map((kind) => queryOf(kind, form));
    const results = await pool.use((session) => session.pipeline(queries));
    for (const [index, { lookup, keys, places }] of kinds.entries()) {
      const { rows = [] } = results[index] ?? {};
      for (const row of rows as readonly (readonly DatabaseValue[])[]) {
        if (keys.length === 1) found[places[0] as number] = lookup.toRow(row);
        else found[places[Number(row[0]) - 1] as number] = lookup.toRow(row.slice(1));
      }
    }
    return found;
  };
}

function kindsOf(calls: readonly LookupCall[], form: LookupForm): Kind[] {
  const kinds: Kind[] = [];
  const byPlace = new Map<number, Map<Lookup, Kind>>();
  for (const [place, call] of calls.entries()) {
    const { lookup, parameters } = call;
    // PostgreSQL stores no such text, so there is no row.
    if (parameters.some((value) => typeof value === 'string' && value.includes('\0'))) continue;
    const key = form.keyOf(call);
    const ofPlace = byPlace.get(form.placeOf(key)) ?? new Map<Lookup, Kind>();
    byPlace.set(form.placeOf(key), ofPlace);
    let kind = ofPlace.get(lookup);
    if (kind === undefined) {
      kind = { lookup, keys: [], places: [] };
      ofPlace.set(lookup, kind);
      kinds.push(kind);
    }
    kind.keys.push(key);
    kind.places.push(place);
  }
  return kinds;
}

const plainForm: LookupForm = {
  textsOf: textsOnce((lookup, name) => lookupTexts(lookup, name)),
  keyOf: ({ parameters }) => parameters,
  placeOf: () => 0,
};

/** Makes the texts of a lookup when it is first used. */
export function textsOnce(
  make: (lookup: Lookup, name: string) => LookupTexts,
): (lookup: Lookup) => LookupTexts {
  const texts = new Map<Lookup, LookupTexts>();
  return (lookup) => {
    const known = texts.get(lookup);
    if (known !== undefined) return known;
    const made = make(lookup, `lookup_${texts.size}`);
    texts.set(lookup, made);
    return made;
  };
}

function queryOf({ lookup, keys }: Kind, { textsOf }: LookupForm): SessionQuery {
  const { name, one, many } = textsOf(lookup);
  const [only] = keys;
  if (keys.length === 1 && only !== undefined) return { name: `${name}_one`, text: one, values: only };
  const arrays = only?.map((_, index) => keys.map((key) => key[index])) ?? [];
  return { name: `${name}_many`, text: many, values: arrays };
}

/** @param byKey how conditions are written for one key, and for many; default: as they are */
export function lookupTexts(
  lookup: Lookup,
  name: string,
  byKey: { readonly one?: ByKey; readonly many?: ByKey } = {},
): LookupTexts {
  return {
    name,
    one: withPlaceholders({ sql: lookup.sql(byKey.one), names: lookup.names }, (position) => `$${position}`),
    many: `select v.ordinal, found.*
      from ${arrays(lookup.parameters, 1)} as v (${columnsOf(lookup.parameters)})
      cross join lateral (${asColumns(lookup.sql(byKey.many))}) as found`,
  };
}
