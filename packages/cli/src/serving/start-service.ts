import type { Service } from '@watchword/server/compose';
import type { Configuration } from '@watchword/server/config/settings';
import { authenticatorsOf } from '@watchword/server/core/authenticators';
import { allDemoRecords, countDemoRecords, demoCommands, seedDemo } from '@watchword/server/demo';
import { isLoopbackOnly } from '@watchword/server/loopback-only';
import type { LogSink } from '@watchword/server/runtime/log/logger';
import { UsageError } from '../command/usage-error.ts';

export interface StartOptions {
  readonly configuration: Configuration;
  readonly sink: LogSink;
  /** Whether an empty database gets the demo records. */
  readonly isDemo: boolean;
}

/**
 * Prepares the records of a composed server, and starts it.
 *
 * @throws the error of the start; then the server is closed, and its log is written
 */
export async function startService(
  service: Service,
  { configuration, sink, isDemo }: StartOptions,
): Promise<void> {
  try {
    if (isDemo) await prepareDemo(service);
    if (!isLoopbackOnly(configuration.host, configuration.baseUrl)) await rejectDemoSecrets(service);
    await service.start();
  } catch (error) {
    const { flushOrKill } = await import('@watchword/server/shutdown');
    await service.close();
    await flushOrKill(sink);
    throw error;
  }
}

async function prepareDemo({ store }: Service): Promise<void> {
  if (await seedDemo(store)) await store.refreshRegistry();
}

async function rejectDemoSecrets({ store }: Service): Promise<void> {
  if ((await countDemoRecords(store)) === 0) return;
  throw new UsageError(
    'The database has demo records, whose secrets are public, and other machines can reach this server. Run "watchword resource-server delete demo-resource-server", or use another --database.',
  );
}

/** What a user of the demo reads. */
export async function demoText({ store, baseUrl }: Service, configuration: Configuration): Promise<string> {
  const authenticators = authenticatorsOf(configuration).map(({ module }) => module);
  const isDemo = (await countDemoRecords(store)) === allDemoRecords;
  const text = isDemo
    ? `Get a token, then request its token info:\n\n${demoCommands(baseUrl, authenticators)}`
    : 'The database is not empty, so no demo records were added. For the demo, name another file with --database.';
  return `\nWatchword serves ${baseUrl}\n\n${text}\n\n`;
}
