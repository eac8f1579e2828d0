import { actionKey } from '@watchword/protocol';
import type { SettingSources } from '../config/effective-settings.ts';
import type { RequiredActionSetting } from '../config/required-actions.ts';
import type { Configuration } from '../config/settings.ts';
import type { TextByLanguage } from '../config/text-by-language.ts';
import { createPages, type Pages } from '../pages/pages.ts';
import { fallbackLanguage, type ModuleTexts, mergeTexts } from '../pages/texts/locales.ts';
import type { PasswordHelp } from '../pages/views/view-parts.ts';
import type { Logger } from '../runtime/log/logger.ts';

interface PageSurroundings {
  readonly configuration: Configuration;
  readonly logger: Pick<Logger, 'error'>;
  /** Tells which settings the configuration has. */
  readonly place?: { readonly settingSources?: SettingSources };
}

/**
 * @param modules which can have their own texts
 * @throws ConfigurationError with all problems of the files that settings name
 */
export function composePages(
  { configuration, logger, place }: PageSurroundings,
  modules: readonly { readonly texts?: ModuleTexts }[],
): Pages {
  return createPages({
    productName: configuration['pages.productName'],
    isNameGiven: place?.settingSources?.['pages.productName'] !== undefined,
    logo: configuration['pages.logo'],
    stylesheet: configuration['pages.stylesheet'],
    templates: configuration['pages.templates'],
    locales: configuration['pages.locales'],
    moduleTexts: textsOf([
      ...modules,
      ...configuration.requiredActions.map(actionTexts),
      helpTexts(configuration),
    ]),
    passwordHelp: passwordHelp(configuration),
    pictureHosts: configuration['pages.pictureHosts'],
    isHttps: configuration.baseUrl.startsWith('https:'),
    onFailedReplacement: (failure) =>
      logger.error(failure, 'a replaced template failed; the built-in one was shown instead'),
  });
}

function actionTexts({ name, title, text }: RequiredActionSetting): { readonly texts: ModuleTexts } {
  return {
    texts: textsOf([
      ...byLanguage(actionKey(name, 'title'), title),
      ...byLanguage(actionKey(name, 'text'), text),
    ]),
  };
}

/** A text without a language is that of every language. */
function byLanguage(key: string, value: TextByLanguage) {
  return Object.entries(typeof value === 'string' ? { [fallbackLanguage]: value } : value).map(
    ([language, shown]) => ({ texts: { [language]: { [key]: shown } } }),
  );
}

// The built-in texts have one of their own, which is in every language.
const ownHelp = 'login.ownHelp';

function helpTexts(configuration: Configuration): { readonly texts: ModuleTexts } {
  const text = configuration['pages.passwordHelp.text'];
  return { texts: typeof text === 'object' ? textsOf(byLanguage(ownHelp, text)) : {} };
}

function passwordHelp(configuration: Configuration): PasswordHelp | undefined {
  const [text, url] = [configuration['pages.passwordHelp.text'], configuration['pages.passwordHelp.url']];
  if (text === undefined && url === undefined) return undefined;
  // A text without a language is as it is in every one.
  const shown = typeof text === 'string' ? text : { key: text === undefined ? 'login.help' : ownHelp };
  return { text: shown, url };
}

function textsOf(modules: readonly { readonly texts?: ModuleTexts }[]): ModuleTexts {
  return mergeTexts(modules.map(({ texts = {} }) => texts));
}
