import type { CompromisedKey, KeyHolder, RetiredKey } from '@watchword/administration';
import { signingKeyState } from '@watchword/protocol';
import type { Configuration } from '@watchword/server/config/settings';
import { loadedKms } from '@watchword/server/core/signing';
import { printable } from '@watchword/server/runtime/log/printable';
import { custody } from '@watchword/server/signing/custody';
import { systemRandom } from '@watchword/server/system';
import type { Command } from 'commander';
import { confirmationHelp, isConfirmed } from '../command/confirm.ts';
import { examples } from '../command/examples.ts';
import type { Options } from '../command/options.ts';
import { withStore } from '../command/with-store.ts';
import {
  administrationOf,
  custodyCommand,
  type KeyContext,
  keyRow,
  operating,
  signsInWords,
  withKeys,
  withKid,
} from './key-command.ts';

const help = `
A key that signs is followed by another, as "watchword keys rotate" does it, and then retires: tokens that it signed stay valid.
A key that is published and does not sign yet never signs.

With --compromised, another party can have the private half: every token that the key signed is refused at once. The key leaves
the JWKS, every server refuses its tokens within a second, and so do the APIs that read the list of revocations. Other caches of
the JWKS know the key for five minutes more. Login sessions stay, so applications get new tokens without a password of their users. ${confirmationHelp}`;

export function retireCommand(): Command {
  return withKid(
    custodyCommand('retire', 'end a key: in time, or at once if it is compromised'),
    'id of the key, as "watchword keys list" prints it',
  )
    .option('--compromised', 'refuse all tokens of the key at once', false)
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', help)
    .addHelpText('before', examples('6003b85e3463310e', '6003b85e3463310e --compromised --yes'))
    .action((kid: string, { compromised, ...options }) =>
      compromised ? endCompromised(kid, options) : withKeys(options, (context) => retire(kid, context)),
    );
}

async function retire(kid: string, { administration, store, output }: KeyContext): Promise<void> {
  const retired = await administration.retire(operating, kid);
  const now = store.clock.now();
  output.done([endInWords(retired, now), ...nextInWords(retired, now)], rowsOf(retired, now));
}

async function endCompromised(kid: string, options: Options): Promise<void> {
  const question = () => `Refuse every token that the key ${kid} has signed?`;
  if (!(await isConfirmed(options, question, 'Nothing was changed.'))) return;
  await withStore(options, async ({ store, configuration, output }) => {
    const administration = administrationOf(store, configuration, withoutPrivateHalf(configuration));
    const { remaining, ...retired } = await administration.endCompromised(operating, kid);
    const now = store.clock.now();
    output.done(
      [`The key ${kid} is compromised: its tokens are refused.`, ...nextInWords(retired, now)],
      rowsOf(retired, now),
    );
    if (remaining !== undefined) reportRemaining(remaining, options);
  });
}

/** What is urgent needs no private half. The key management system is loaded afterwards, if it has the key. */
function withoutPrivateHalf(configuration: Configuration): KeyHolder {
  const none = custody({ sealingKey: undefined, kms: undefined, random: systemRandom });
  const discard: KeyHolder['discard'] = async (privateKey) => {
    const kms = await loadedKms(configuration);
    return custody({ sealingKey: undefined, kms, random: systemRandom }).discard(privateKey);
  };
  return { ...none, discard };
}

function reportRemaining(
  { reference, problem }: NonNullable<CompromisedKey['remaining']>,
  { io }: Options,
): void {
  if (problem !== undefined) io.stderr.write(`${printable(problem)}\n`);
  io.stderr.write(
    `The private half is still in the key management system: remove ${printable(reference)} there.\n`,
  );
  io.exitCode = 1;
}

function endInWords({ key }: RetiredKey, now: number): string {
  return signingKeyState(key, now) === 'signing'
    ? `The key ${key.kid} signs until the next one does; its tokens stay valid.`
    : `The key ${key.kid} is retired: it does not sign, and its tokens stay valid.`;
}

function nextInWords({ next }: RetiredKey, now: number): string[] {
  return [next === undefined ? 'The server makes the next key when it signs.' : signsInWords(next, now)];
}

function rowsOf({ key, next }: RetiredKey, now: number) {
  return { key: keyRow(key, now), next: next === undefined ? null : keyRow(next, now) };
}
