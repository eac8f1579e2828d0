import {
  commandLineCaller,
  type KeyAdministration,
  type KeyHolder,
  keyAdministration,
  placeOfPrivateKey,
} from '@watchword/administration';
import { type SigningKey, shellCommand, signingKeyState } from '@watchword/protocol';
import type { Configuration, SettingPath } from '@watchword/server/config/settings';
import { keyHolders, type MissingSealingKey, openCustody } from '@watchword/server/core/signing';
import type { Custody } from '@watchword/server/signing/custody';
import { systemRandom } from '@watchword/server/system';
import type { Store } from '@watchword/store-sql';
import { Command } from 'commander';
import { commandPath } from '../command/examples.ts';
import { operator } from '../command/operator.ts';
import { type Options, withSettings } from '../command/options.ts';
import type { Row } from '../command/output.ts';
import { type ToolContext, withStore } from '../command/with-store.ts';

const paths: readonly SettingPath[] = ['database', 'databaseUrlFile'];
/** Settings that say where private halves are. */
export const custodyPaths: readonly SettingPath[] = ['signing.keyFile', 'signing.kms', 'signing.kmsOptions'];

/** A command that only reads keys, or that needs no private half. */
export function keyCommand(name: string, description: string): Command {
  return withSettings(new Command(name).description(description), paths);
}

/** A command that makes or takes over private halves. */
export function custodyCommand(name: string, description: string): Command {
  return withSettings(new Command(name).description(description), [...paths, ...custodyPaths]);
}

/** Adds an argument `<kid>`. The id of an imported key can begin with `-`, and then the error says what to type. */
export function withKid(command: Command, description: string, isOptional = false): Command {
  return command.argument(isOptional ? '[kid]' : '<kid>', description).configureOutput({
    outputError(text, write) {
      const [, id] = /unknown option '(-[^']*)'/.exec(text) ?? [];
      const advice = (kid: string) =>
        `An id that begins with "-" stands after "--": ${shellCommand(`watchword ${commandPath(command).join(' ')} {kid}`, { kid })}\n`;
      write(id === undefined ? text : `${text}${advice(id)}`);
    },
  });
}

export interface KeyContext extends ToolContext {
  readonly custody: Custody;
  readonly administration: KeyAdministration;
}

/** Opens the database, and finds where private halves are. @param missing as for {@link openCustody} */
export function withKeys(
  options: Options,
  work: (context: KeyContext) => Promise<void>,
  missing?: MissingSealingKey,
): Promise<void> {
  return withStore(options, async (context) => {
    const { store, configuration } = context;
    const holders = await keyHolders(configuration);
    const custody = await openCustody(holders, store, systemRandom, missing);
    await work({ ...context, custody, administration: administrationOf(store, configuration, custody) });
  });
}

/** The user of the command line. */
export const operating = commandLineCaller(operator);

export function administrationOf(
  store: Store,
  configuration: Configuration,
  custody: KeyHolder,
): KeyAdministration {
  const algorithms = configuration['signing.algorithms'];
  // Servers read what a command has changed by themselves.
  const refresh = async () => {};
  return keyAdministration({ ...store, random: systemRandom, custody, algorithms, refresh });
}

/** A key as commands print it. */
export function keyRow(key: SigningKey, now: number): Row {
  const { kid, algorithm, publishedAt, signsFrom, retiredAt, compromisedAt } = key;
  return {
    kid,
    algorithm,
    state: signingKeyState(key, now),
    publishedAt,
    signsFrom,
    retiredAt,
    compromisedAt,
    privateKey: placeOfPrivateKey(key),
  };
}

export const keyColumns = [
  'kid',
  'algorithm',
  'state',
  'publishedAt',
  'signsFrom',
  'retiredAt',
  'compromisedAt',
  'privateKey',
];

/** When a key signs, in words. */
export function signsInWords({ kid, algorithm, signsFrom }: SigningKey, now: number): string {
  return signsFrom <= now
    ? `The key ${kid} signs with ${algorithm}.`
    : `The key ${kid} is published, and signs with ${algorithm} from ${new Date(signsFrom).toISOString()}.`;
}
