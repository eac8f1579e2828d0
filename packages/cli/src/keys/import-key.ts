import { type MadeSigningKey, signingAlgorithms } from '@watchword/protocol';
import { adoptedKey, type UnusableKey, unreadableKey } from '@watchword/server/signing/adopted-key';
import { type ReadKey, readPrivateKey } from '@watchword/server/signing/key-pairs';
import { systemRandom } from '@watchword/server/system';
import type { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { filePath, type Options } from '../command/options.ts';
import { secretText } from '../command/secret-input.ts';
import { UsageError } from '../command/usage-error.ts';
import { custodyCommand, keyRow, operating, signsInWords, withKeys } from './key-command.ts';
import { signingAlgorithm } from './rotate.ts';

const help = `
The file has a private key in PEM without a passphrase, or as a JSON Web Key: RSA of 2048 bits or more, P-256, or Ed25519. It is
sealed and stored. With --kms-key no private key is read: the key is in the key management system of signing.kms, and stays there.
A key is used with one algorithm. An RSA key needs --algorithm RS256 or PS256, unless its JSON Web Key says which.

The key follows the one that signs now, as "watchword keys rotate" does it. Use --now when clients know the key already, because
another server with the same base URL signed with it before.`;

export function importKeyCommand(): Command {
  return custodyCommand('import', 'sign with a key that another program has made')
    .argument('[file]', 'file with the private key; - for standard input', filePath('keys import'))
    .option('--kms-key <reference>', 'a key in the key management system, instead of a file')
    .option(
      `--algorithm <${signingAlgorithms.join('|')}>`,
      'the algorithm that the key is used with',
      signingAlgorithm,
    )
    .option('--kid <id>', 'id of the key; default: that of the JSON Web Key, or a new one')
    .option('--now', 'sign with the key at once', false)
    .addHelpText('after', help)
    .addHelpText(
      'before',
      examples(
        'signing-key.pem --algorithm RS256',
        '- --kid 2026-11 --now < signing-key.jwk',
        '--kms-key alias/id --algorithm ES256',
      ),
    )
    .action(async (file: string | undefined, { kmsKey, algorithm, kid, now: atOnce, ...options }) => {
      if ((file === undefined) === (kmsKey === undefined)) {
        throw new UsageError(
          'keys import: expected either a file or --kms-key <reference>; got both or neither',
        );
      }
      // Before the database is opened: root alone can be able to read it.
      const read = file === undefined ? undefined : await readKey(file, options);
      return withKeys(options, async ({ custody, administration, store, output }) => {
        const brought = { key: read ?? { reference: kmsKey ?? '' }, algorithm, kid };
        const bring = async () => usable(await adoptedKey(custody, systemRandom, brought));
        const key = await administration.add(operating, bring, atOnce);
        const now = store.clock.now();
        output.done(signsInWords(key, now), keyRow(key, now));
      });
    });
}

/** @throws UsageError */
function usable(adopted: MadeSigningKey | UnusableKey): MadeSigningKey {
  if (!('problem' in adopted)) return adopted;
  const { field, problem } = adopted;
  throw new UsageError(`${field === 'key' ? 'keys import' : `--${field}`}: ${problem}`);
}

/** @throws UsageError */
async function readKey(file: string, { io }: Options): Promise<ReadKey> {
  const content = await secretText('keys import', file === '-' ? io.stdin : file);
  const read = readPrivateKey(content);
  if (read !== undefined) return read;
  const { problem } = unreadableKey(content);
  throw new UsageError(`keys import: ${file === '-' ? 'standard input' : file}: ${problem}`);
}
