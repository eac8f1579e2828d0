import { resolve } from 'node:path';
import { shown } from '@watchword/protocol';
import type { LoadedConfiguration } from '@watchword/server/config/load';
import { type Configuration, settingPaths } from '@watchword/server/config/settings';
import { isLoopbackOnly } from '@watchword/server/loopback-only';
import { onlyProcess } from '@watchword/server/place';
import { endRequests } from '@watchword/server/runtime/end-requests';
import { letHeapGrow } from '@watchword/server/runtime/heap-growth';
import type { Logger, LogSink } from '@watchword/server/runtime/log/logger';
import { standardOutput } from '@watchword/server/runtime/log/standard-output';
import { textLines } from '@watchword/server/runtime/log/text-line';
import { serviceManager } from '@watchword/server/runtime/service-manager';
import type { DemoKind, ServerFacts } from '@watchword/server/workers/messages';
import { workersOf } from '@watchword/server/workers/workers-of';
import { becomeOwnerOf, dialectOf, prepareServerStore, shownDatabase, wasEmpty } from '@watchword/store-sql';
import { Command } from 'commander';
import { examples } from '../command/examples.ts';
import type { Io } from '../command/io.ts';
import { configurationOf, placesOf, withSettings } from '../command/options.ts';
import { UsageError } from '../command/usage-error.ts';
import { askLoginPage } from './own-login-page.ts';
import { demoText, startService } from './start-service.ts';

export function serveCommand(): Command {
  const command = new Command('serve')
    .description('run the authorization server')
    .option(
      '--demo [records]',
      'add demo records to an empty database: a company with a history, or with "small" a few; loopback only',
    );
  return withSettings(command, settingPaths)
    .addHelpText(
      'before',
      examples(
        '--demo',
        '--config watchword.yaml',
        '--authenticator password --base-url https://id.example.com',
        '--config watchword.yaml --workers auto',
      ),
    )
    .action(async (options) => {
      const loaded = await configurationOf(options);
      const { host, baseUrl } = loaded.configuration;
      const demo = demoOf(options.demo);
      if (demo !== undefined && !isLoopbackOnly(host, baseUrl)) {
        throw new UsageError(
          `--demo: the demo secrets are public, so only this machine can use the server. Expected a loopback host and base URL, got ${host} and ${baseUrl}. Leave out --demo, or use --host localhost.`,
        );
      }
      becomeOwnerOf(placesOf(loaded.configuration));
      const { io } = options;
      const isText = isLogText(loaded.configuration, io);
      const serving: Serving = {
        loaded,
        demo,
        io,
        isText,
        isQuiet: options.json === true,
        sink: io.log ?? standardOutput(isText ? textLines : undefined),
      };
      const workers = workersOf(loaded.configuration);
      await (workers === 1 ? serveAlone(serving) : serveByWorkers(serving, workers));
    });
}

/** @throws UsageError */
function demoOf(named: unknown): DemoKind | undefined {
  if (named === undefined || named === 'small') return named;
  if (named === true || named === 'company') return 'company';
  throw new UsageError(`--demo: expected no value, company or small, got ${shown(String(named), 50)}`);
}

interface Serving {
  readonly loaded: LoadedConfiguration;
  readonly demo: DemoKind | undefined;
  readonly io: Io;
  /** Whether the log is text for people. */
  readonly isText: boolean;
  /** Whether the text of the demo is left out. */
  readonly isQuiet: boolean;
  readonly sink: LogSink;
}

/** This process answers all requests. */
async function serveAlone(serving: Serving): Promise<void> {
  const { loaded, io, demo, isQuiet, sink } = serving;
  const { configuration, sources: settingSources } = loaded;
  const place = { ...onlyProcess(), settingSources };
  // Begins while the rest is loaded: 45 ms of a start on two cores.
  await using prepared = prepareServerStore(configuration.database);
  // Loaded here, so that the other commands start without the HTTP stack.
  const { composeService } = await import('@watchword/server/compose');
  const { endAtUncaughtErrors, endInOrder } = await import('@watchword/server/shutdown');
  let reload = () => {};
  if (io.log === undefined) onHangup(io, () => reload());
  const service = await composeService(configuration, sink, place, prepared, demo !== undefined);
  reload = () => service.reload();
  if (io.log === undefined) endAtUncaughtErrors(service, sink);
  const nextRequest = io.log === undefined ? endRequests() : () => never;
  const asked = nextRequest();
  await startService(service, { configuration, sink, demo });
  letHeapGrow();
  const { baseUrl, port, logger, store } = service;
  const text = demo !== undefined && !isQuiet ? demoText(service, configuration, io.env) : undefined;
  announce(logger, serving, { baseUrl, port, migrated: store.migrated, demoText: text });
  service.examine();
  const asking = new AbortController();
  void askLoginPage(configuration, { baseUrl, port }, logger, asking.signal);
  const manager = serviceManager(io.env, logger);
  manager.ready(`answers at ${baseUrl}`);
  const reason = await asked;
  asking.abort();
  manager.stopping();
  await endInOrder(service, sink, {
    reason,
    nextRequest,
    linger: configuration['shutdown.linger'],
    deadline: configuration['shutdown.deadline'],
  });
}

// Seconds that workers have beyond their own deadline to write the rest of their log.
const workerPatience = 2;

/** Other processes answer the requests. This one gives them the connections, and writes their log. */
async function serveByWorkers(serving: Serving, workers: number): Promise<void> {
  const { loaded, io, demo, isQuiet, sink } = serving;
  const { configuration, sources: settingSources } = loaded;
  const { MainProcess } = await import('@watchword/server/workers/main-process');
  const { endAtUncaughtErrors, endInOrder, flushOrKill } = await import('@watchword/server/shutdown');
  const main = new MainProcess({ configuration, settingSources, sink, workers, demo });
  if (io.log === undefined) onHangup(io, () => main.reload());
  if (io.log === undefined)
    endAtUncaughtErrors({ closePort: () => main.closePort(), logger: main.logger }, sink);
  const nextRequest = io.log === undefined ? endRequests() : () => never;
  const asked = nextRequest();
  const asking = new AbortController();
  try {
    const facts = await main.start();
    announce(main.logger, serving, { ...facts, ...(isQuiet && { demoText: undefined }) }, workers);
    void askLoginPage(configuration, facts, main.logger, asking.signal);
    const manager = serviceManager(io.env, main.logger);
    manager.ready(`answers at ${facts.baseUrl}, with ${workers} workers`);
    const reason = await Promise.race([asked, main.untilFailure()]);
    asking.abort();
    manager.stopping();
    await endInOrder(main, sink, {
      reason,
      nextRequest,
      linger: 0,
      deadline: configuration['shutdown.deadline'] + workerPatience,
    });
  } catch (error) {
    asking.abort();
    await flushOrKill(sink);
    throw error;
  }
}

/** The signal with which services are asked to read their files again. A terminal sends it when it closes: then it ends the server. */
function onHangup({ stdin, stdout, stderr }: Io, reload: () => void): void {
  if ([stdin, stdout, stderr].every(({ isTTY }) => isTTY !== true)) process.on('SIGHUP', reload);
}

function isLogText({ 'log.format': format }: Configuration, { stdout }: Io): boolean {
  return format === 'auto' ? stdout.isTTY === true : format === 'text';
}

const never = new Promise<never>(() => {});

/** @param workers number of processes that answer, if there are several */
function announce(logger: Logger, serving: Serving, facts: ServerFacts, workers?: number): void {
  const { loaded, io, isText, sink } = serving;
  const { configuration, warnings } = loaded;
  const { baseUrl, migrated, demoText: text } = facts;
  for (const warning of warnings) logger.warn(warning);
  const database = shownDatabase(configuration.database);
  // A name that is not the one that was meant shows here.
  if (wasEmpty(migrated)) {
    const made = dialectOf(configuration.database) === 'sqlite' ? resolve(database) : database;
    logger.info({ database: made }, 'made a new database, because there was none of this name');
  }
  logger.info({ baseUrl, database, migrated, ...(workers !== undefined && { workers }) }, 'listening');
  if (text === undefined) return;
  // At a terminal the text follows the log. The server does not wait, because a terminal can be paused.
  const before = isText ? sink.flush() : Promise.resolve();
  before.then(() => io.stderr.write(text));
}
