import { openServerStore, type PreparedServerStore, type ServerStore } from '@watchword/store-sql';
import { databaseOptions } from '../config/database-options.ts';
import type { Configuration } from '../config/settings.ts';
import type { Place } from '../place.ts';
import type { LogSink } from '../runtime/log/logger.ts';
import type { Metrics } from '../runtime/metrics/metrics.ts';
import { systemClock } from '../system.ts';
import { noSpans, type Tracing } from '../tracing/tracing.ts';
import { version } from '../version.ts';
import { tracedStore } from './traced-store.ts';

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
