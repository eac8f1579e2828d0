import type { DatabaseValue } from '../../hot/columns.ts';
import { type Command, type CommandResult, RunningCommand } from '../../hot/command.ts';
import type { HotWork } from '../../hot/hot-work.ts';
import type { LookupCall } from '../../hot/lookup.ts';
import { type SqlText, withPlaceholders } from '../../hot/sql-text.ts';
import { PostgresqlError } from './connection/postgresql-error.ts';
import { commit, rollback, type Session, type SessionPool, type SessionQuery } from './connection/session.ts';
import { toStoreError } from './connection/store-errors.ts';
import { oids, typeOfParameter } from './connection/values.ts';
import { registryReader } from './registry-reader.ts';

/** Hot work on PostgreSQL: each command in a transaction of its own. */
export function postgresqlHotWork(pool: SessionPool, onCommit: (batchSize: number) => void): HotWork {
  return {
    commit: (commands) =>
      pool.use(async (session) => {
        const results: (CommandResult | Error)[] = [];
        for (const command of commands) {
          results.push(await runCommand(session, command));
          onCommit(1);
        }
        return results;
      }),
    read: (lookups) =>
      pool.use(async (session) => {
        const results = await session.pipeline(lookups.map(lookupQuery));
        return results.map(({ rows }, index) => {
          const values = rows[0] as readonly DatabaseValue[] | undefined;
          return values && lookups[index]?.lookup.toRow(values);
        });
      }),
    changesSince: registryReader(pool),
  };
}

async function runCommand(session: Session, command: Command): Promise<CommandResult | Error> {
  try {
    await session.pipeline(session.begin());
    const running = new RunningCommand(command);
    for (let step = running.next(); step !== undefined; step = running.next()) {
      const [result] = await session.pipeline([queryOf(step.statement, step.parameters)]);
      const first = result?.rows[0]?.[0];
      running.take(step.statement.returnsNumber ? Number(first ?? 0) : (result?.changes ?? 0));
    }
    await session.pipeline([commit]);
    return running.result;
  } catch (error) {
    if (error instanceof PostgresqlError && error.isLost) throw error;
    await session.pipeline([rollback]);
    return toStoreError(error);
  }
}

function lookupQuery({ lookup, parameters }: LookupCall): SessionQuery {
  return queryOf(lookup, parameters);
}

function queryOf(text: SqlText, values: readonly DatabaseValue[]): SessionQuery {
  const types = values.map(typeOfValue);
  return { text: withPlaceholders(text, (position) => `$${position}`), values, types };
}

function typeOfValue(value: DatabaseValue): number {
  if (typeof value === 'string') return oids.text;
  return value instanceof Uint8Array ? oids.bytea : typeOfParameter(value);
}
