import type { Authenticator, NewAuthenticator } from '@watchword/admin-client';
import {
  authenticatorKindNames,
  authenticatorKinds,
  type FieldTable,
  secretLine,
  utf8Text,
} from '@watchword/protocol';
import { type Command, Option } from 'commander';
import {
  type AdministrationContext,
  administratorCommand,
  withAdministration,
} from '../../administration/with-administration.ts';
import { boundedFile, type FileLimit, placeInWords } from '../../command/bounded-file.ts';
import { confirmationHelp, isConfirmed } from '../../command/confirm.ts';
import { examples } from '../../command/examples.ts';
import type { Options } from '../../command/options.ts';
import type { Row } from '../../command/output.ts';
import { UsageError } from '../../command/usage-error.ts';
import { type Form, fieldsOf, withFieldOptions } from '../field-options.ts';
import { usedRowsInWords } from '../grants/grants-in-words.ts';

/** Commands for the identity providers that administrators set up. */
export function storedIdentityProviderCommands(): readonly Command[] {
  return [showCommand(), createCommand(), changeCommand(), ...stateCommands(), deleteCommand()];
}

type Settings = NonNullable<NewAuthenticator['settings']>;

const nameMeaning = 'name, as "watchword identity-provider list --set-up" prints it';
const metadataHelp = `
The metadata is read first: by the server with --url, else by this command, which follows outbound.privateHosts of --config or of
the environment as a server does. Running servers use the change within a second. The file - is standard input.`;
/** Settings that say which user somebody is. */
const identifying = ['entityId', 'preset', 'tenant', 'issuer', 'nameFrom', 'stableIdFrom'];
/** Settings of which each takes the place of the other. */
const sources = ['metadataUrl', 'metadata'];
/** Settings whose option names a file, or - for standard input, and what to do where it is too long. */
const inFiles = {
  metadata: 'name its address with --metadata-url',
  signingCertificates: 'name a file with the certificates alone',
  clientSecret: 'name a file with the secret alone',
  privateKey: 'name a file with the key alone',
};
const mostBytes = 400_000;

function showCommand(): Command {
  return administratorCommand('show', 'print an identity provider that was set up')
    .argument('<name>', nameMeaning)
    .addHelpText(
      'after',
      '\nWith --url also what its operator must know of the server, its certificates, and what is wrong with it.',
    )
    .addHelpText('before', examples('uni', 'uni --url https://id.example.com'))
    .action((name, options) =>
      withAdministration(options, async (context) =>
        print(await context.administration.authenticators.find(name), options, context),
      ),
    );
}

function createCommand(): Command {
  const command = administratorCommand('create', 'set up an identity provider')
    .argument('<name>', 'lower-case letters, digits and hyphens; no later change is possible')
    .addOption(kindOption())
    .option('--label <text>', 'what users read where they choose how to log in (default: the name)')
    .option('--disabled', 'users see it after "watchword identity-provider enable" only');
  return withSettings(command, 'create')
    .addHelpText(
      'after',
      `${metadataHelp}

The name is a part of the identity of its users. No other identity provider can have it, also after this one is deleted.`,
    )
    .addHelpText(
      'before',
      examples(
        'uni --label "University" --metadata-url https://idp.example.org/metadata',
        'uni --metadata-file idp.xml --disabled',
        'corp --issuer https://login.example.com --client-id watchword --client-secret-file secret',
        'github --preset github --client-id Iv1.1234 --client-secret-file secret',
      ),
    )
    .action((name, options) =>
      withAdministration(options, async (context) => {
        const { label, disabled } = options;
        const settings = await settingsOf(options, 'create');
        const isOidc = settings.issuer !== undefined || settings.preset !== undefined;
        const { kind = isOidc ? 'oidc' : 'saml' } = options;
        const given = { name, kind, ...(label !== undefined && { label }), settings };
        const created = await context.administration.authenticators.create({
          ...given,
          enabled: disabled !== true,
        });
        print(created, options, context);
      }),
    );
}

function changeCommand(): Command {
  const command = administratorCommand(
    'change',
    'change an identity provider; fields that are not named stay as they are',
  )
    .argument('<name>', nameMeaning)
    .option('--label <text>', 'what users read where they choose how to log in')
    .option('--yes', 'do not ask for confirmation');
  return withSettings(command, 'update')
    .addHelpText(
      'after',
      `${metadataHelp}

Another source of the name or of the stable id, and another entity ID, can make every user another one. ${confirmationHelp}`,
    )
    .addHelpText(
      'before',
      examples('uni --label "University of Utrecht"', 'uni --email-from mail --groups-from isMemberOf'),
    )
    .action((name, options) =>
      withAdministration(options, async (context) => {
        const { authenticators } = context.administration;
        const before = await authenticators.find(name);
        const settings = await settingsOf(options, 'update');
        const { label } = options;
        if (label === undefined && Object.keys(settings).length === 0) {
          throw new UsageError('expected an option that names what to change, such as --label <text>');
        }
        const others = identifying.filter(
          (field) => settings[field] !== undefined && !isSame(settings[field], before.settings?.[field]),
        );
        const question = () =>
          `Change ${others.join(' and ')} of ${name}? It can make every user another one, without the access of before.`;
        if (others.length > 0 && !(await isConfirmed(options, question, 'Nothing was changed.'))) return;
        const change = { ...(label !== undefined && { label }), settings };
        print(await authenticators.update(name, change), options, context);
      }),
    );
}

function stateCommands(): readonly Command[] {
  return [
    administratorCommand('enable', 'let users log in at an identity provider')
      .argument('<name>', nameMeaning)
      .addHelpText('before', examples('uni'))
      .action((name, options) => setEnabled(name, true, options)),
    administratorCommand('disable', 'let nobody log in at an identity provider')
      .argument('<name>', nameMeaning)
      .option('--yes', 'do not ask for confirmation')
      .addHelpText(
        'after',
        `
Sessions and tokens of its users stay valid: "watchword identity-provider end" ends them. ${confirmationHelp}`,
      )
      .addHelpText('before', examples('uni'))
      .action((name, options) => setEnabled(name, false, options)),
  ];
}

function setEnabled(name: string, enabled: boolean, options: Options): Promise<void> {
  return withAdministration(options, async ({ administration: { authenticators, effect }, output }) => {
    const question = () => `Disable ${name}? Its users cannot log in until it is enabled.`;
    if (!enabled && !(await isConfirmed(options, question, 'Nothing was changed.'))) return;
    await authenticators.update(name, { enabled });
    output.done(`${enabled ? 'Enabled' : 'Disabled'} ${name}, ${effect}.`, { name, enabled });
  });
}

function deleteCommand(): Command {
  return administratorCommand('delete', 'delete an identity provider, and end all that its users have')
    .argument('<name>', nameMeaning)
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      `
Login sessions end, grants are revoked with all their tokens, and remembered consents are deleted. The command shows the
numbers first. ${confirmationHelp}`,
    )
    .addHelpText('before', examples('uni', 'uni --yes'))
    .action((name, options) =>
      withAdministration(options, async ({ administration: { authenticators, effect }, output }) => {
        const used = await authenticators.used(name);
        const question = () =>
          `Delete ${name} with ${usedRowsInWords(used)}? No other identity provider can have its name.`;
        if (!(await isConfirmed(options, question, 'Nothing was deleted.'))) return;
        const ended = await authenticators.delete(name);
        const words = `Deleted ${name} with ${usedRowsInWords(ended)}, ${effect}.`;
        output.done(words, { deleted: name, ...ended });
      }),
    );
}

function kindOption(): Option {
  return new Option(
    '--kind <kind>',
    'kind of identity provider (default: oidc with --issuer, else saml)',
  ).choices(authenticatorKindNames);
}

/** The settings of all kinds. The server names one that is not of the kind. */
const allSettings: FieldTable = Object.assign(
  {},
  ...Object.values(authenticatorKinds).map(({ settings }) => settings),
);

function withSettings(command: Command, form: Form): Command {
  return withFieldOptions(command, allSettings, form);
}

/** @throws UsageError */
async function settingsOf(options: Options, form: Form): Promise<Settings> {
  const given: Record<string, Settings[string]> = { ...fieldsOf(allSettings, options, form) } as Settings;
  for (const [field, advice] of Object.entries(inFiles)) {
    const file = given[field];
    if (typeof file !== 'string' || file === '') continue;
    const text = await textOf(file, options, { bytes: mostBytes, advice });
    given[field] = field === 'clientSecret' ? secretLine(text) : text;
  }
  const named = sources.filter((field) => given[field] !== undefined);
  if (form === 'update' && named.length === 1) {
    for (const field of sources) given[field] ??= '';
  }
  return given;
}

/** @throws UsageError */
async function textOf(file: string, { io }: Options, limit: FileLimit): Promise<string> {
  const text = utf8Text(await boundedFile(file, io, limit));
  if (text !== undefined) return text;
  throw new UsageError(`${placeInWords(file)}: expected text in UTF-8; save it in this encoding`);
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** For people the settings that are set, each in a line; a document only by its length. */
function print(record: Authenticator, { json }: Options, { output }: AdministrationContext): void {
  if (json === true) {
    output.record({ ...record });
    return;
  }
  const { settings, addresses, identityProviders, total: _, ...others } = record;
  const shown: Row = {
    ...others,
    ...Object.fromEntries(Object.entries(settings ?? {}).map(([name, value]) => [name, shortened(value)])),
    ...Object.fromEntries(addresses.map(({ name, value }) => [`${name} of this server`, value])),
    certificates: identityProviders.flatMap(({ certificates }) =>
      certificates.map(
        ({ fingerprint, validUntil }) => `${fingerprint} until ${new Date(validUntil).toISOString()}`,
      ),
    ),
  };
  const isSet = (value: unknown) =>
    value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
  output.record(Object.fromEntries(Object.entries(shown).filter(([, value]) => isSet(value))));
}

function shortened(value: Settings[string]): Settings[string] {
  return typeof value === 'string' && value.includes('\n') ? `${value.length} characters` : value;
}
