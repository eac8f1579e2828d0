import type { Command } from 'commander';
import { type Dependents, dependentsInWords } from '../administration/dependents.ts';
import {
  type AdministrationContext,
  recordCommand,
  withAdministration,
} from '../administration/with-administration.ts';
import { confirmationHelp, isConfirmed } from '../command/confirm.ts';
import { examples } from '../command/examples.ts';
import type { Options } from '../command/options.ts';

/** How a kind of record is deleted, by the name that administrators use. */
export interface Deletion {
  dependents(name: string): Promise<Dependents>;
  delete(name: string): Promise<void>;
}

/** A command that deletes a record with all that belongs to it. It asks the user first. */
export function deleteCommand(
  description: string,
  [argument, meaning, example]: readonly [name: string, description: string, example: string],
  deletionBy: (context: AdministrationContext) => Deletion,
): Command {
  return recordCommand('delete', description)
    .argument(argument, meaning)
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', `\n${confirmationHelp}`)
    .addHelpText('before', examples(example, `${example} --yes`))
    .action((name, options) =>
      withAdministration(options, (context) => deleteRecord(name, options, deletionBy(context), context)),
    );
}

async function deleteRecord(
  name: string,
  options: Options,
  deletion: Deletion,
  { administration, output }: AdministrationContext,
): Promise<void> {
  const { isLeast, ...counts } = await deletion.dependents(name);
  const lost = dependentsInWords({ ...counts, isLeast });
  if (!(await isConfirmed(options, () => `Delete ${name} with ${lost}?`, 'Nothing was deleted.'))) return;
  await deletion.delete(name);
  const words = `Deleted ${name} with ${lost}. This takes effect ${administration.effect}.`;
  output.done(words, { deleted: name, ...counts });
}
