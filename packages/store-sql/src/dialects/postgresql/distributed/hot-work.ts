import type { HotWork } from '../../../hot/hot-work.ts';
import type { SessionPool } from '../connection/session.ts';
import { CommandForms } from '../hot/command-form.ts';
import { type HotOptions, postgresqlHotWork } from '../hot/hot-work.ts';
import { lookupTexts, textsOnce } from '../hot/read.ts';
import { citusHotWork } from './citus/hot-work.ts';
import type { Engine } from './engine.ts';
import { shardedKey, shardedLookup, shardedStatements } from './sharded.ts';

/** Hot work as the engine does it best. */
export function hotWorkOn(engine: Engine, pool: SessionPool, options: HotOptions): HotWork {
  switch (engine) {
    case 'postgresql':
      return postgresqlHotWork(pool, options);
    case 'citus':
      return citusHotWork(pool, options);
    default:
      // These engines route each row of a statement by its key: one round trip takes all.
      return postgresqlHotWork(pool, { ...options, sharded });
  }
}

const sharded = {
  commands: new CommandForms(shardedStatements),
  lookups: {
    textsOf: textsOnce((lookup, name) => lookupTexts(shardedLookup(lookup), name)),
    keyOf: shardedKey,
    placeOf: () => 0,
  },
};
