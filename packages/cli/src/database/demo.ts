import { commandLineCaller, everyRecord, resourceServerAdministration } from '@watchword/administration';
import type { ResourceServer } from '@watchword/protocol';
import { demoKeys } from '@watchword/server/demo';
import { systemRandom } from '@watchword/server/system';
import type { Store } from '@watchword/store-sql';
import { Command } from 'commander';
import { confirmationHelp, isConfirmed } from '../command/confirm.ts';
import { examples } from '../command/examples.ts';
import { operator } from '../command/operator.ts';
import { databaseCommand, type Options } from '../command/options.ts';
import { type ToolContext, withStore } from '../command/with-store.ts';

const help = `
The APIs of the demo go with all their clients, grants and tokens: also a client that you have registered at one of them. The audit log
keeps its entries. Your own APIs stay.`;

export function demoCommand(): Command {
  return new Command('demo')
    .description('the records of "serve --demo"')
    .addHelpText('before', examples('remove'))
    .addCommand(removeCommand());
}

function removeCommand(): Command {
  return databaseCommand('remove', 'remove the records that "serve --demo" has added')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', `${help}\n${confirmationHelp}`)
    .addHelpText('before', examples('', '--yes'))
    .action((options) => withStore(options, (context) => remove(options, context)));
}

async function remove(options: Options, { store, output, database }: ToolContext): Promise<void> {
  const found = await demoServers(store);
  const deps = { ...store, random: systemRandom };
  const caller = commandLineCaller(operator);
  const clients: string[] = [];
  for (const { id } of found) {
    const all = everyRecord((page) => store.clients.list({ resourceServerId: id, ...page }));
    for await (const { clientId } of all) clients.push(clientId);
  }
  const what = `${found.length} APIs of the demo with their ${clients.length} clients from ${database}`;
  const question = () => `Remove ${what}: ${[...found.map(({ key }) => key), ...clients].join(', ')}?`;
  if (found.length > 0 && !(await isConfirmed(options, question, 'Nothing was removed.'))) return;
  for (const { id } of found) await resourceServerAdministration(deps).delete(caller, id);
  const removed = { resourceServers: found.map(({ key }) => key), clients };
  const words = found.length === 0 ? `${database} has no records of the demo.` : `Removed ${what}.`;
  output.done(words, removed);
}

async function demoServers({ resourceServers }: Store): Promise<readonly ResourceServer[]> {
  const found = await Promise.all((await demoKeys()).map((key) => resourceServers.find(key)));
  return found.filter((server) => server !== undefined);
}
