import { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { type Options, withSettings } from '../command/options.ts';
import { UsageError } from '../command/usage-error.ts';

const help = `
Without a client, the command examines the server as clients and browsers see it: address, TLS, clock, metadata, endpoints, keys, proxy,
cookies, caches and limits. It finds the server by the configuration of the server, and its database lets it ask how requests arrive. With
--url it examines any server from outside.
With --url and a client, it reads the registration from the server: with WATCHWORD_ADMIN_CLIENT_ID and WATCHWORD_ADMIN_CLIENT_SECRET of
a client of authorization-server-admin, or with an access token in WATCHWORD_ADMIN_TOKEN or on standard input.
With a client, it also plays the flow for which the client is registered, and stops at the first break. --login goes on with the login of
a user, whose consent it gives, and revokes the tokens at the end.
Secrets are asked at a terminal, or come from the environment or, with --secrets-stdin, from lines on standard input:
  WATCHWORD_DOCTOR_CLIENT_SECRET            of a client with a secret
  WATCHWORD_DOCTOR_PASSWORD                 of the user of --login
  WATCHWORD_DOCTOR_RESOURCE_SERVER_SECRET   of the resource server, for token info; without it the client itself asks
It exits with 0 if nothing is broken, with 1 if something is, with 2 for a wrong use of the command.`;

export function doctorCommand(): Command {
  const command = new Command('doctor')
    .description('play the flow of a client through proxy and server, and name the first break')
    .argument('[clientId]', 'clientId of the client whose flow is played')
    .option('--url <baseUrl>', 'examine the server with this base URL from outside, without its database')
    .option('--login <username>', 'log in as this user, and play the flow to its end')
    .option('--authenticator <name>', 'the authenticator of the login, if there are several')
    .option(
      '--mail <address>',
      'send one mail to this address, by the mail server of the configuration, and nothing else',
    )
    .option('--client-key <file>', 'private key of a client with private_key_jwt, as PEM or JWK')
    .option('--client-assertion <file>', 'token of its issuer, of a client with assertion_issuer')
    .option('--secrets-stdin', 'read the secrets from lines on standard input')
    .option(
      '--token-stdin',
      'with --url and a client: read an access token of an administrator from standard input',
    );
  return withSettings(command, [
    'baseUrl',
    'host',
    'port',
    'trustedProxies',
    'outbound.privateHosts',
    'database',
    'databaseUrlFile',
    'mail.url',
    'mail.passwordFile',
    'mail.from',
  ])
    .addHelpText('after', help)
    .addHelpText('before', examples('', 'demo-app --login emma', '--url https://id.example.com'))
    .action(async (clientId: string | undefined, options: Options) => {
      checkUse(clientId, options);
      // Loaded here, so that the other commands start without them.
      if (options.mail !== undefined) {
        const { sendTestMail } = await import('./test-mail.ts');
        return sendTestMail(String(options.mail), options);
      }
      const { examine } = await import('./examine.ts');
      await examine(clientId, options);
    });
}

function checkUse(clientId: string | undefined, options: Options): void {
  const { login, authenticator, secretsStdin, tokenStdin, url, database, databaseUrlFile, mail } = options;
  const { clientKey, clientAssertion } = options;
  if (mail !== undefined && (clientId ?? url ?? login) !== undefined) {
    throw new UsageError('--mail: expected no clientId, --url or --login, because it examines nothing else');
  }
  const ofFlow = login ?? authenticator ?? secretsStdin ?? clientKey ?? clientAssertion;
  if (clientId === undefined && ofFlow !== undefined) {
    throw new UsageError(
      '--login, --authenticator, --client-key, --client-assertion and --secrets-stdin: expected a clientId too, whose flow is played',
    );
  }
  if (secretsStdin === true && tokenStdin === true) {
    throw new UsageError(
      '--secrets-stdin and --token-stdin: expected only one, because standard input is read once',
    );
  }
  if (tokenStdin === true && (url === undefined || clientId === undefined)) {
    throw new UsageError('--token-stdin: expected --url <baseUrl> and a clientId too');
  }
  if (url !== undefined && (database ?? databaseUrlFile) !== undefined) {
    throw new UsageError(
      '--url and --database: expected only one of them, because they name different places',
    );
  }
}
