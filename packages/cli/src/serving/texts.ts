import { shown } from '@watchword/protocol';
import { ConfigurationError, type Problem } from '@watchword/server/configuration-error';
import { allLocales, missingTexts } from '@watchword/server/pages/texts/locales';
import { Command } from 'commander';
import { examples } from '../command/examples.ts';
import { configurationOf, withSettings } from '../command/options.ts';
import { createOutput } from '../command/output.ts';
import { UsageError } from '../command/usage-error.ts';

export function textsCommand(): Command {
  return new Command('texts')
    .description('texts of the pages and of the administration GUI')
    .addHelpText('before', examples('missing fr'))
    .addCommand(missing());
}

const help = `
Each text that the language lacks, by its key, in English. With --json it is the content of a file for the translator: the texts replace
the English ones, and the file goes into the directory of pages.locales.`;

function missing(): Command {
  const command = new Command('missing')
    .description('list the texts that a language lacks')
    .argument('<language>', 'tag of the language, such as fr or pt-BR')
    .option('--gui', 'the texts of the administration GUI in place of those of the pages', false);
  return withSettings(command, ['pages.locales'])
    .addHelpText('after', help)
    .addHelpText('before', examples('sv', 'sv --json', 'fr --gui --pages-locales ./locales'))
    .action(async (typed: string, options) => {
      const language = languageOf(typed);
      const { configuration } = await configurationOf(options);
      const of = options.gui ? 'console' : 'pages';
      const problems: Problem[] = [];
      const locales = allLocales(of, configuration['pages.locales'], problems);
      if (problems.length > 0) throw new ConfigurationError(problems);
      const lacking = missingTexts(locales, language, of);
      const all = locales.get('en')?.size ?? 0;
      const words = [
        `${language}: ${all - lacking.size} of ${all} texts of ${options.gui ? 'the administration GUI' : 'the pages'}`,
        ...[...lacking].map(([key, english]) => `${key}: ${english}`),
      ];
      createOutput(options.json === true, options.io).done(words, Object.fromEntries(lacking));
    });
}

/** @throws UsageError */
function languageOf(typed: string): string {
  try {
    return new Intl.Locale(typed).toString();
  } catch {
    throw new UsageError(`expected the tag of a language, such as fr or pt-BR, got ${shown(typed, 80)}`);
  }
}
