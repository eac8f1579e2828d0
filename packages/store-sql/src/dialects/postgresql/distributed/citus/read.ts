import type { HotWork } from '../../../../hot/hot-work.ts';
import type { LookupCall } from '../../../../hot/lookup.ts';
import type { SessionPool } from '../../connection/session.ts';
import { groupedReads, lookupTexts, textsOnce } from '../../hot/read.ts';
import { shardedKey, shardedLookup } from '../sharded.ts';
import type { Placement, Placements } from './placements.ts';
import { bound } from './statement-text.ts';

/** Finds rows by one query for each kind of lookup and placement. A worker that is down fails the lookups of its own rows. */
export function placedReads(pool: SessionPool, placements: Placements): HotWork['read'] {
  return async (calls) => {
    const map = await placements.map();
    const placeOf = (key: readonly unknown[]) => map[key.at(-1) as number] as Placement;
    const read = groupedReads(pool, {
      textsOf: placedTexts,
      keyOf: shardedKey,
      placeOf: (key) => placeOf(key).placement,
    });
    const found: Awaited<ReturnType<HotWork['read']>>[number][] = new Array(calls.length);
    const byWorker = Map.groupBy(calls.entries(), ([, call]) => placeOf(shardedKey(call)).worker);
    const ofWorkers = [...byWorker.values()].map(async (entries) => {
      const lookups = entries.map(([, call]) => call);
      const rows = await readOrErrors(lookups, read);
      for (const [index, [place]] of entries.entries()) found[place] = rows[index];
    });
    await Promise.all(ofWorkers);
    return found;
  };
}

/** Bound to the placement of the rows. */
export const placedTexts = textsOnce((lookup, name) => {
  const sharded = shardedLookup(lookup);
  return lookupTexts(sharded, `placed_${name}`, { many: bound(sharded.names) });
});

async function readOrErrors(
  calls: readonly LookupCall[],
  read: HotWork['read'],
): ReturnType<HotWork['read']> {
  try {
    return await read(calls);
  } catch (error) {
    return calls.map(() => (error instanceof Error ? error : new Error(String(error))));
  }
}
