import { profileChecks } from '@watchword/protocol';
import type { Service } from '@watchword/server/compose';
import type { Configuration } from '@watchword/server/config/settings';
import { authenticatorsOf } from '@watchword/server/core/modules/authenticators';
import {
  countDemoRecords,
  demoCommands,
  demoResource,
  holdsDemo,
  seedDemo,
  seedDemoCompany,
} from '@watchword/server/demo';
import { isLoopbackOnly } from '@watchword/server/loopback-only';
import type { LogSink } from '@watchword/server/runtime/log/logger';
import type { DemoKind } from '@watchword/server/workers/messages';
import { UsageError } from '../command/usage-error.ts';

export interface StartOptions {
  readonly configuration: Configuration;
  readonly sink: LogSink;
  /** The records that an empty database gets. */
  readonly demo: DemoKind | undefined;
}

/**
 * Prepares the records of a composed server, and starts it.
 *
 * @throws the error of the start; then the server is closed, and its log is written
 */
export async function startService(
  service: Service,
  { configuration, sink, demo }: StartOptions,
): Promise<void> {
  try {
    if (demo !== undefined) await prepareDemo(service, configuration);
    if (!isLoopbackOnly(configuration.host, configuration.baseUrl)) await rejectDemoSecrets(service);
    await service.start();
    if (demo === 'company') service.beside(addCompany(service));
  } catch (error) {
    const { flushOrKill } = await import('@watchword/server/shutdown');
    await service.close();
    await flushOrKill(sink);
    throw error;
  }
}

async function prepareDemo({ store }: Service, { profile }: Configuration): Promise<void> {
  if (await seedDemo(store, profileChecks(profile))) await store.refreshRegistry();
}

/** The server answers meanwhile. Without it the demo works, and is only empty. */
async function addCompany({ store, logger }: Service): Promise<void> {
  try {
    await seedDemoCompany(store);
  } catch (err) {
    logger.warn({ err }, 'the company of the demo could not be added; a demo in a new --database has it');
  }
}

async function rejectDemoSecrets({ store }: Service): Promise<void> {
  if ((await countDemoRecords(store)) === 0) return;
  throw new UsageError(
    'The database has demo records, whose secrets are public, and other machines can reach this server. Run "watchword demo remove", or use another --database.',
  );
}

/** What a user of the demo reads. */
export function demoText(
  { store, baseUrl }: Service,
  configuration: Configuration,
  env: NodeJS.ProcessEnv,
): string {
  // npm sets it for what it runs: then the command is in a folder of packages, and the shell does not find it.
  const command = env.npm_execpath === undefined ? 'watchword' : 'npx --no-install watchword';
  const authenticators = authenticatorsOf(configuration).map(({ module }) => module);
  const text = holdsDemo(store)
    ? demoCommands(baseUrl, authenticators, command, {
        resource: demoResource(store),
        hasPkce: configuration.profile !== 'compatible',
      })
    : 'The database is not empty, so no demo records were added. For the demo, name another file with --database.';
  return `\nWatchword serves ${baseUrl}\n\n${text}\n\n`;
}
