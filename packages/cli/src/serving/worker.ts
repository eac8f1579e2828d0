import { letHeapGrow } from '@watchword/server/runtime/heap-growth';
import { standardOutput } from '@watchword/server/runtime/log/standard-output';
import type { MainChannel } from '@watchword/server/workers/main-channel';
import { Command } from 'commander';
import { errorInWords, exitCodeOf } from '../command/error-words.ts';
import type { Io } from '../command/io.ts';
import { UsageError } from '../command/usage-error.ts';
import { demoText, startService } from './start-service.ts';

/** The process that `serve` starts several times with `--workers`. */
export function workerCommand(): Command {
  return new Command('worker')
    .description('one of the processes of "serve --workers", which starts it')
    .action(async ({ io }: { readonly io: Pick<Io, 'env' | 'exitCode'> }) => {
      const { MainChannel } = await import('@watchword/server/workers/main-channel');
      if (!MainChannel.isPossible) {
        throw new UsageError('worker: "watchword serve --workers" starts this command by itself');
      }
      const channel = new MainChannel();
      try {
        await work(channel, io.env);
      } catch (error) {
        await channel.reportLast({ kind: 'failed', text: errorInWords(error), exitCode: exitCodeOf(error) });
        io.exitCode = exitCodeOf(error);
        channel.close();
      }
    });
}

/** @throws the error of a start that failed */
async function work(channel: MainChannel, env: Io['env']): Promise<never> {
  // Loaded while the main process sends the assignment.
  const [{ composeService }, { endAtUncaughtErrors, endInOrder }, { workerPlace }, assignment] =
    await Promise.all([
      import('@watchword/server/compose'),
      import('@watchword/server/shutdown'),
      import('@watchword/server/workers/worker-place'),
      channel.assignment,
    ]);
  const { configuration, demo, isFirst } = assignment;
  const sink = standardOutput();
  const service = await composeService(
    configuration,
    sink,
    workerPlace(channel, assignment),
    undefined,
    demo !== undefined,
  );
  endAtUncaughtErrors(service, sink);
  await startService(service, { configuration, sink, demo: isFirst ? demo : undefined });
  channel.onReload(() => service.reload());
  letHeapGrow();
  const { baseUrl, port, store } = service;
  channel.report({
    kind: 'ready',
    facts: {
      baseUrl,
      port,
      migrated: store.migrated,
      demoText: demo !== undefined && isFirst ? demoText(service, configuration, env) : undefined,
    },
  });
  if (isFirst) service.examine();
  const reason = await channel.endRequest;
  channel.report({ kind: 'leaving' });
  return endInOrder(service, sink, {
    reason,
    // The main process ends a worker at once if it has to.
    nextRequest: () => new Promise(() => {}),
    linger: configuration['shutdown.linger'],
    deadline: configuration['shutdown.deadline'],
  });
}
