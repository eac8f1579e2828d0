import { OAuthError, publicJwk, publicPem, publishedUntil, type SigningKey } from '@watchword/protocol';
import { printableJson } from '@watchword/server/runtime/log/printable';
import type { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { withStore } from '../command/with-store.ts';
import { keyCommand, withKid } from './key-command.ts';

const help = `
Without an id it prints all keys of the JWKS, as /oauth2/jwks does. With an id it prints that key, also if it is retired.`;

export function exportPublicCommand(): Command {
  return withKid(
    keyCommand('export-public', 'print public keys, as JSON Web Keys or PEM'),
    'id of the key, as "watchword keys list" prints it',
    true,
  )
    .option('--pem', 'print PEM instead of JSON', false)
    .addHelpText('after', help)
    .addHelpText('before', examples('', '6003b85e3463310e --pem'))
    .action((kid: string | undefined, { pem, ...options }) =>
      withStore(options, async ({ store }) => {
        const now = store.clock.now();
        const all = await store.signingKeys.list();
        const keys = all.filter((key) => (kid === undefined ? now < publishedUntil(key) : key.kid === kid));
        if (kid !== undefined && keys.length === 0) {
          throw new OAuthError('not_found', {
            description: 'There is no signing key with this id; "watchword keys list" shows all.',
          });
        }
        options.io.stdout.write(pem ? keys.map(publicPem).join('') : json(keys, kid === undefined));
      }),
    );
}

function json(keys: readonly SigningKey[], isSet: boolean): string {
  const published = keys.map(publicJwk);
  return `${printableJson(isSet ? { keys: published } : published[0])}\n`;
}
