import type { Tracer } from '@watchword/protocol';
import { openServerStore, type PreparedServerStore, type ServerStore } from '@watchword/store-sql';
import { databaseOptions } from '../config/database-options.ts';
import type { Configuration } from '../config/settings.ts';
import type { Place } from '../place.ts';
import type { LogSink } from '../runtime/log/logger.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import { systemClock } from '../system.ts';
import { noSpans, type Tracing } from '../tracing/tracing.ts';
import { version } from '../version.ts';

interface Opening {
  readonly configuration: Configuration;
  readonly metrics: Metrics;
  readonly place: Place;
  readonly sink: LogSink;
  readonly tracing: Tracing | undefined;
}

/** Opens the database of the configuration, with its metrics and traces. @throws DatabaseOpenError */
export async function openStore(
  { configuration, metrics, place, sink, tracing }: Opening,
  prepared: PreparedServerStore | undefined,
): Promise<ServerStore> {
  const store = await openServerStore({
    prepared,
    ...databaseOptions(configuration, place.siblings.count),
    clock: place.clock ?? systemClock,
    isMachineClock: place.clock === undefined,
    random: place.random,
    onCommit: (batchSize) => metrics.committed(batchSize),
    observer: { batches: tracing?.batches },
    release: version,
  });
  if (store.examine !== undefined) metrics.observeExamination();
  metrics.observeRegistry(() => store.registryStatistics());
  metrics.observePools(store);
  metrics.observeDroppedLogLines(() => sink.dropped());
  metrics.observeWorkers(1, () => 0);
  metrics.observeSpans(() => ({ ...(tracing?.spans() ?? noSpans) }));
  return tracing === undefined ? store : tracedStore(store, tracing.tracer);
}

/** Parts of the store that answer from memory. */
const inMemory = new Set<string>(['clock', 'registry', 'primary']);

/** The same store, whose calls are steps of traces, each with the name of its part: `accessTokens.find`. */
function tracedStore(store: ServerStore, tracer: Tracer): ServerStore {
  const parts = Object.entries(store).map(([name, part]) => {
    const isTraced = typeof part === 'object' && part !== null && !inMemory.has(name) && !Array.isArray(part);
    return [name, isTraced ? tracedPart(name, part, tracer) : part];
  });
  return Object.fromEntries(parts);
}

function tracedPart(name: string, part: object, tracer: Tracer): object {
  const methods = methodsOf(part).map((method) => {
    const call = (part as Record<string, (...given: unknown[]) => unknown>)[method];
    const step = `${name}.${method}`;
    return [method, (...given: unknown[]) => tracer.step(step, () => call?.apply(part, given))];
  });
  return { ...part, ...Object.fromEntries(methods) };
}

/** Of an object or of an instance of a class. */
function methodsOf(part: object): string[] {
  const names = new Set<string>();
  for (let owner = part; owner !== Object.prototype && owner !== null; owner = Object.getPrototypeOf(owner)) {
    for (const name of Object.getOwnPropertyNames(owner)) {
      if (name !== 'constructor' && typeof Reflect.get(part, name) === 'function') names.add(name);
    }
  }
  return [...names];
}
