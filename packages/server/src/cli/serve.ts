import { shownDatabase } from '@watchword/store-sql';
import { Command } from 'commander';
import type { Service } from '../compose.ts';
import type { LoadedConfiguration } from '../config/load.ts';
import { type Configuration, settingPaths } from '../config/settings.ts';
import { authenticatorsOf } from '../core/authenticators.ts';
import { allDemoRecords, countDemoRecords, demoCommands, seedDemo } from '../demo.ts';
import { isLoopbackOnly } from '../loopback-only.ts';
import { endRequests } from '../runtime/end-requests.ts';
import { standardOutput } from '../runtime/standard-output.ts';
import { textLine } from '../runtime/text-line.ts';
import { letYoungGenerationGrow } from '../runtime/young-generation.ts';
import { examples } from './examples.ts';
import type { Io } from './io.ts';
import { configurationOf, withSettings } from './options.ts';
import { UsageError } from './usage-error.ts';

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('run the authorization server')
    .option('--demo', 'add a demo client and resource server to an empty database; loopback only', false);
  return withSettings(command, settingPaths)
    .addHelpText(
      'after',
      examples(
        '--demo',
        '--config watchword.yaml',
        '--authenticator password --base-url https://id.example.com',
      ),
    )
    .action(async (options) => {
      const loaded = await configurationOf(options);
      await serve(loaded, options.demo, options.json === true, options.io);
    });
}

async function serve(loaded: LoadedConfiguration, isDemo: boolean, json: boolean, io: Io): Promise<void> {
  const { configuration } = loaded;
  const isLoopback = isLoopbackOnly(configuration.host, configuration.baseUrl);
  if (isDemo && !isLoopback) {
    throw new UsageError(
      `--demo: the demo secrets are public, so only this machine can use the server. Expected a loopback host and base URL, got ${configuration.host} and ${configuration.baseUrl}. Leave out --demo, or use --host localhost.`,
    );
  }
  // Loaded here, so that the other commands start without the HTTP stack.
  const { composeService } = await import('../compose.ts');
  const { endAtUncaughtErrors, endInOrder, flushOrKill } = await import('../shutdown.ts');

  const isText = isLogText(configuration, io);
  const sink = io.log ?? standardOutput(isText ? textLine : undefined);
  const service = await composeService(configuration, sink);
  if (io.log === undefined) endAtUncaughtErrors(service, sink);
  const nextRequest = io.log === undefined ? endRequests() : () => never;
  const asked = nextRequest();
  try {
    if (isDemo) await prepareDemo(service);
    if (!isLoopback) await rejectDemoSecrets(service);
    await service.start();
  } catch (error) {
    await service.close();
    await flushOrKill(sink);
    throw error;
  }
  letYoungGenerationGrow();
  announce(service, loaded);
  service.examine();
  if (isDemo && !json) {
    const text = await demoText(service, configuration);
    // At a terminal the text follows the log. The server does not wait, because a terminal can be paused.
    const before = isText ? sink.flush() : Promise.resolve();
    before.then(() => io.stderr.write(text));
  }
  await endInOrder(service, sink, {
    reason: await asked,
    nextRequest,
    linger: configuration['shutdown.linger'],
    deadline: configuration['shutdown.deadline'],
  });
}

function isLogText({ 'log.format': format }: Configuration, { stdout }: Io): boolean {
  return format === 'auto' ? stdout.isTTY === true : format === 'text';
}

const never = new Promise<never>(() => {});

function announce(
  { logger, baseUrl, store }: Service,
  { configuration, warnings }: LoadedConfiguration,
): void {
  for (const warning of warnings) logger.warn(warning);
  if (baseUrl.startsWith('http://') && !isLoopbackOnly('localhost', baseUrl)) {
    logger.warn(
      { baseUrl },
      'the base URL is plain http: the network can read tokens and secrets; put a TLS proxy in front and set an https base URL',
    );
  }
  const database = shownDatabase(configuration.database);
  logger.info({ baseUrl, database, migrated: store.migrated }, 'listening');
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

async function demoText({ store, baseUrl }: Service, configuration: Configuration): Promise<string> {
  const authenticators = authenticatorsOf(configuration).map(({ module }) => module);
  const isDemo = (await countDemoRecords(store)) === allDemoRecords;
  const text = isDemo
    ? `Get a token, then request its token info:\n\n${demoCommands(baseUrl, authenticators)}`
    : 'The database is not empty, so no demo records were added. For the demo, name another file with --database.';
  return `\nWatchword serves ${baseUrl}\n\n${text}\n\n`;
}
