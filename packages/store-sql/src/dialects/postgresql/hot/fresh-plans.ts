import type { Session, SessionPool, SessionQuery } from '../connection/session.ts';

// Milliseconds for which a connection keeps its plans.
const planLifetime = 10_000;

const discardPlans: SessionQuery = { name: 'discard_plans', text: 'discard plans', values: [] };

/**
 * A connection plans a prepared statement once, for the sizes that tables have then. New tables grow from nothing to millions of rows
 * before PostgreSQL collects statistics and plans again. So connections plan again after some time, which costs less than a
 * millisecond a statement.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function withFreshPlans(pool: SessionPool, now = () => performance.now()): SessionPool {
  const plannedAt = new WeakMap<Session, number>();
  return {
    use: (work) =>
      pool.use(async (session) => {
        // Behind a pooler nothing is prepared: each statement is planned when it runs.
        if (session.begin().length === 1) {
          const planned = plannedAt.get(session);
          if (planned === undefined || now() - planned > planLifetime) {
            plannedAt.set(session, now());
            if (planned !== undefined) await session.pipeline([discardPlans]);
          }
        }
        return work(session);
      }),
  };
}
