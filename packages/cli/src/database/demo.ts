import { commandLineCaller, everyRecord, resourceServerAdministration } from '@watchword/administration';
import { type AuditEvent, isSameIdentity, type ResourceServer } from '@watchword/protocol';
import { demoKeys } from '@watchword/server/demo';
import { demoAdministrator } from '@watchword/server/modules/authentication/form';
import { printable } from '@watchword/server/runtime/log/printable';
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
keeps its entries. Your own APIs stay. So do identity providers, branding and signing keys that the administrator of the demo has set up:
the command names them, and ends with 1.`;

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
  const { io } = options;
  const found = await demoServers(store);
  const deps = { ...store, random: systemRandom };
  const caller = commandLineCaller(operator);
  const clients: string[] = [];
  for (const { id } of found) {
    const all = everyRecord((page) => store.clients.list({ resourceServerId: id, ...page }));
    for await (const { clientId } of all) clients.push(clientId);
  }
  const remaining = await setUpByAdministrator(store);
  const stays = remainingInWords(remaining);
  const what = `${found.length} APIs of the demo with their ${clients.length} clients from ${database}`;
  const question = () =>
    [...stays, `Remove ${what}: ${[...found.map(({ key }) => key), ...clients].join(', ')}?`].join(' ');
  if (found.length > 0 && !(await isConfirmed(options, question, 'Nothing was removed.'))) return;
  for (const { id } of found) await resourceServerAdministration(deps).delete(caller, id);
  const removed = { resourceServers: found.map(({ key }) => key), clients, remaining };
  const words = found.length === 0 ? `${database} has no records of the demo.` : `Removed ${what}.`;
  output.done(words, removed);
  if (stays.length === 0) return;
  io.stderr.write(`${printable(stays.join(' '))}\n`);
  io.exitCode = 1;
}

async function demoServers({ resourceServers }: Store): Promise<readonly ResourceServer[]> {
  const found = await Promise.all((await demoKeys()).map((key) => resourceServers.find(key)));
  return found.filter((server) => server !== undefined);
}

/** What the administrator of the demo has set up beside the records, and what is still there. */
interface Remaining {
  readonly identityProviders: readonly string[];
  readonly branding: boolean;
  readonly signingKeys: readonly string[];
}

async function setUpByAdministrator(store: Store): Promise<Remaining> {
  const names = new Set<string>();
  const kids = new Set<string>();
  let hasBranding = false;
  for await (const { action, recordType, recordId } of changesByAdministrator(store)) {
    // A rotation also changes the key before it, which is not the administrator's.
    if (recordType === 'signingKey' && action === 'create') kids.add(recordId);
    if (recordType === 'identityProvider') names.add(recordId);
    if (recordType === 'branding') hasBranding = true;
  }
  const stored = await store.storedAuthenticators.heads();
  const keys = await store.signingKeys.list();
  return {
    identityProviders: stored.map(({ name }) => name).filter((name) => names.has(name)),
    branding: hasBranding,
    signingKeys: keys
      .filter(({ kid, compromisedAt }) => kids.has(kid) && compromisedAt === undefined)
      .map(({ kid }) => kid),
  };
}

const eventsAtOnce = 1000;

async function* changesByAdministrator({ auditEvents }: Store): AsyncGenerator<AuditEvent, void> {
  const { identityProvider, principal } = demoAdministrator;
  const person = { identityProvider, name: principal.name };
  for (let before: string | undefined; ; ) {
    const page = { limit: eventsAtOnce, ...(before !== undefined && { before }) };
    const events = await auditEvents.list({ kind: 'changes', person, ...page });
    yield* events.filter(({ actor }) => isSameIdentity(person, actor));
    if (events.length < eventsAtOnce) return;
    before = events.at(-1)?.id;
  }
}

/** A sentence or two; none if nothing is left. */
function remainingInWords({ identityProviders, branding, signingKeys }: Remaining): string[] {
  const what = [
    ...(identityProviders.length === 0 ? [] : [`identity providers (${identityProviders.join(', ')})`]),
    ...(branding ? ['branding'] : []),
    ...(signingKeys.length === 0 ? [] : [`signing keys (${signingKeys.join(', ')})`]),
  ];
  if (what.length === 0) return [];
  return [
    `What the administrator of the demo has set up stays: ${what.join(', ')}. For real users, begin with a new database.`,
  ];
}
