import { setFlagsFromString } from 'node:v8';
import { configurationSchema } from '@watchword/administration';
import { OAuthError } from '@watchword/protocol';
import { printableJson } from '@watchword/server/runtime/log/printable';
import type { Command } from 'commander';
import { recordCommand, withAdministration } from '../administration/with-administration.ts';
import { isAdminError } from '../command/error-words.ts';
import { examples } from '../command/examples.ts';
import { filePath, type Options, wholeNumber } from '../command/options.ts';
import { UsageError } from '../command/usage-error.ts';
import { ConfigurationRefused } from './place-error.ts';
import { planInWords } from './plan-in-words.ts';
import { type ConfigurationFile, readConfigurationFile } from './read-file.ts';
import { withSecrets } from './secrets.ts';

const help = `
The file is YAML: version, name, resourceServers and clients. --schema prints its JSON Schema, for editors. "watchword export" writes one.
Its records are made what it says, all of them or none; a field that is left out has its default. They are then changed by the file alone.
A record made by hand that the file names is taken over. A record that the file has no more is deleted with its tokens; more than
ten, more than half or all of them only with --allow-deletions. With --keep such records stay, and are changed by hand again.
Secrets are references, env:NAME or file:PATH, read on this machine; without one a record keeps its secret.`;

const planExits =
  '\nExit codes: 0 nothing to do, 3 changes, 1 refused or failed, 2 wrong use of the command line.';

export function planCommand(): Command {
  return configurationCommand('plan', 'say what "apply" would change', 'clients.yaml', 'clients.yaml --json')
    .addHelpText('after', planExits)
    .action((file, options) => run(file, options, true));
}

export function applyCommand(): Command {
  return configurationCommand(
    'apply',
    'make resource servers and clients what a file says',
    'clients.yaml',
    '--schema > schema.json',
  )
    .option(
      '--overlap <seconds>',
      'how long a secret that is replaced stays valid (default: 0)',
      wholeNumber('--overlap', 0),
    )
    .option('--schema', 'print the JSON Schema of the file', false)
    .action(async (file, options) => {
      if (options.schema === true) options.io.stdout.write(`${printableJson(configurationSchema())}\n`);
      else await run(file, options, false);
    });
}

function configurationCommand(name: string, description: string, ...shown: readonly string[]): Command {
  return recordCommand(name, description)
    .argument('[file]', 'YAML or JSON file; - for standard input', filePath(name))
    .option('--keep', 'let go of records that the file has no more, and do not delete them', false)
    .option('--allow-deletions', 'also delete many records, or all of them', false)
    .addHelpText('before', examples(...shown))
    .addHelpText('after', help);
}

/** Changes that a plan found. */
const changesFound = 3;

async function run(file: string | undefined, options: Options, isPlan: boolean): Promise<void> {
  // The program keeps the heap of a server small, which thousands of records would fill again and again.
  setFlagsFromString('--semi-space-growth-factor=2');
  if (file === undefined) throw new UsageError('expected the name of a file, or - for standard input');
  const { io } = options;
  try {
    const read = await readConfigurationFile(file, io);
    const configuration = await withSecrets(read, file, io);
    await withAdministration(options, async ({ administration: { configurations }, output }) => {
      const { keep, allowDeletions, overlap } = options as {
        keep?: boolean;
        allowDeletions?: boolean;
        overlap?: number;
      };
      const given = {
        configuration: configuration as object,
        keep: keep === true,
        allowDeletions: allowDeletions === true,
        overlap: overlap ?? 0,
      };
      const work = isPlan ? configurations.plan : configurations.apply;
      const plan = await work(given).catch((error: unknown) => {
        throw withPlaces(error, read);
      });
      const isColoured = io.stdout.isTTY === true && !io.env.NO_COLOR;
      if (options.json === true) output.record({ ...plan });
      else io.stdout.write(`${planInWords(plan, !isPlan, isColoured).join('\n')}\n`);
      if (isPlan && plan.changes.length > 0) io.exitCode = changesFound;
    });
  } catch (error) {
    if (!(error instanceof ConfigurationRefused) || options.json !== true) throw error;
    io.stdout.write(`${printableJson({ refused: error.problems })}\n`);
    io.exitCode = 1;
  }
}

const tooLarge =
  'the server takes no file of this size over the network; divide it into several configurations, or apply it on the machine of the database';

/** A refusal of the server with the places in the file. */
function withPlaces(error: unknown, { refusal }: ConfigurationFile): unknown {
  if (isAdminError(error) && error.status === 413) return refusal([['', tooLarge]]);
  const violations = error instanceof OAuthError || isAdminError(error) ? (error.violations ?? []) : [];
  const placed = violations.map((violation) => /^\/([^\s:]*): (.*)$/s.exec(violation));
  if (placed.length === 0 || placed.includes(null)) return error;
  return refusal(placed.map((found) => [found?.[1] ?? '', found?.[2] ?? ''] as const));
}
