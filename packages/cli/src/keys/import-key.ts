import { type MadeSigningKey, type SigningAlgorithm, signingAlgorithms } from '@watchword/protocol';
import type { Custody } from '@watchword/server/signing/custody';
import { newKid } from '@watchword/server/signing/custody';
import { algorithmsOf, pairOf, type ReadKey, readPrivateKey } from '@watchword/server/signing/key-pairs';
import { systemRandom } from '@watchword/server/system';
import type { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { filePath, type Options } from '../command/options.ts';
import { secretText } from '../command/secret-input.ts';
import { UsageError } from '../command/usage-error.ts';
import { custodyCommand, keyRow, signsInWords, withKeys } from './key-command.ts';
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
      'after',
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
        const made =
          read === undefined
            ? await referredKey(custody, kmsKey, algorithm, kid)
            : takenKey(custody, read, algorithm, kid);
        const key = await administration.add(made, atOnce);
        const now = store.clock.now();
        output.done(signsInWords(key, now), keyRow(key, now));
      });
    });
}

function referredKey(
  custody: Custody,
  reference: string,
  algorithm: SigningAlgorithm | undefined,
  kid: string | undefined,
): Promise<MadeSigningKey> {
  if (algorithm === undefined) throw needsAlgorithm(signingAlgorithms);
  return custody.refer(usableKid(kid), algorithm, reference);
}

function takenKey(
  custody: Custody,
  read: ReadKey,
  wanted: SigningAlgorithm | undefined,
  kid: string | undefined,
): MadeSigningKey {
  const possible = algorithmsOf(read.key);
  if (typeof possible === 'string') throw new UsageError(`keys import: ${possible}`);
  const named = wanted ?? read.alg ?? (possible.length === 1 ? possible[0] : undefined);
  const algorithm = possible.find((each) => each === named);
  if (named === undefined) throw needsAlgorithm(possible);
  if (algorithm === undefined) {
    throw new UsageError(
      `keys import: the key can be used with ${possible.join(' or ')}, and not with ${named}`,
    );
  }
  return custody.take(usableKid(kid ?? read.kid), algorithm, pairOf(read.key));
}

function needsAlgorithm(possible: readonly SigningAlgorithm[]): UsageError {
  return new UsageError(
    `--algorithm: expected ${possible.join(' or ')}, because a key is used with one algorithm only`,
  );
}

/** @throws UsageError */
function usableKid(kid: string | undefined): string {
  if (kid === undefined) return newKid(systemRandom);
  if (/^[\x21-\x7e]{1,128}$/.test(kid)) return kid;
  throw new UsageError(
    '--kid: expected 1 to 128 printable ASCII characters without spaces, got another text',
  );
}

/** @throws UsageError */
async function readKey(file: string, { io }: Options): Promise<ReadKey> {
  const content = await secretText('keys import', file === '-' ? io.stdin : file);
  const read = readPrivateKey(content);
  if (read !== undefined) return read;
  const reason = /ENCRYPTED/.test(content)
    ? 'a key with a passphrase; remove it with "openssl pkey -in FILE -out NEW_FILE"'
    : 'another text';
  throw new UsageError(
    `keys import: expected a private key in PEM or as a JSON Web Key in ${file === '-' ? 'standard input' : file}, got ${reason}`,
  );
}
