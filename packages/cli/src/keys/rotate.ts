import { type SigningAlgorithm, shown, signingAlgorithms } from '@watchword/protocol';
import type { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { UsageError } from '../command/usage-error.ts';
import { custodyCommand, keyRow, operating, signsInWords, withKeys } from './key-command.ts';

const help = `
A new key is published for ten minutes before it signs, so that every cache of the JWKS knows it. The key before it signs until
then, and stays published until its last token has expired. A server does the same by itself, as signing.rotationInterval says.
Servers know the new key within a second, without a restart.

With --now the new key signs at once: a resource server that has an older copy of the JWKS can refuse tokens until it reads it
again. If the private half of a key cannot be used, because the key that sealed it is lost, its successor signs at once in any case.`;

export function rotateCommand(): Command {
  return custodyCommand('rotate', 'publish the next key of each algorithm')
    .option(
      `--algorithm <${signingAlgorithms.join('|')}>`,
      'only the key of this algorithm',
      signingAlgorithm,
    )
    .option('--now', 'sign with the new keys at once', false)
    .addHelpText('after', help)
    .addHelpText('before', examples('', '--algorithm ES256 --now'))
    .action(({ algorithm, now: atOnce, ...options }) =>
      withKeys(
        options,
        async ({ store, administration, output }) => {
          const keys = await administration.rotate(operating, algorithm, atOnce);
          const now = store.clock.now();
          output.done(
            keys.map((key) => signsInWords(key, now)),
            { keys: keys.map((key) => keyRow(key, now)) },
          );
        },
        'replace',
      ),
    );
}

/** @throws UsageError */
export function signingAlgorithm(text: string): SigningAlgorithm {
  const algorithm = signingAlgorithms.find((each) => each === text);
  if (algorithm !== undefined) return algorithm;
  throw new UsageError(
    `--algorithm: expected one of ${signingAlgorithms.join(', ')}, got ${shown(text, 80)}`,
  );
}
