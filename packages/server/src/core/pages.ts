import { actionKey } from '@watchword/protocol';
import type { RequiredActionSetting } from '../config/required-actions.ts';
import type { Configuration } from '../config/settings.ts';
import { fallbackLanguage, type ModuleTexts } from '../pages/locales.ts';
import { createPages, type Pages } from '../pages/pages.ts';
import type { Logger } from '../runtime/log/logger.ts';

/**
 * @param modules which can have their own texts
 * @throws ConfigurationError with all problems of the files that settings name
 */
export function composePages(
  configuration: Configuration,
  modules: readonly { readonly texts?: ModuleTexts }[],
  logger: Pick<Logger, 'error'>,
): Pages {
  return createPages({
    productName: configuration['pages.productName'],
    logo: configuration['pages.logo'],
    stylesheet: configuration['pages.stylesheet'],
    templates: configuration['pages.templates'],
    locales: configuration['pages.locales'],
    moduleTexts: textsOf([...modules, ...configuration.requiredActions.map(actionTexts)]),
    pictureHosts: configuration['pages.pictureHosts'],
    isHttps: configuration.baseUrl.startsWith('https:'),
    onFailedReplacement: (failure) =>
      logger.error(failure, 'a replaced template failed; the built-in one was shown instead'),
  });
}

/** A text without a language is that of every language. */
function actionTexts({ name, title, text }: RequiredActionSetting): { readonly texts: ModuleTexts } {
  const byLanguage = (key: string, value: string | Readonly<Record<string, string>>) =>
    Object.entries(typeof value === 'string' ? { [fallbackLanguage]: value } : value).map(
      ([language, shown]) => ({ texts: { [language]: { [key]: shown } } }),
    );
  return {
    texts: textsOf([
      ...byLanguage(actionKey(name, 'title'), title),
      ...byLanguage(actionKey(name, 'text'), text),
    ]),
  };
}

/** The texts of all modules. Two modules do not use the same key for different texts. */
function textsOf(modules: readonly { readonly texts?: ModuleTexts }[]): ModuleTexts {
  const languages = new Set(modules.flatMap(({ texts = {} }) => Object.keys(texts)));
  return Object.fromEntries(
    [...languages].map((language) => [
      language,
      Object.assign({}, ...modules.map(({ texts }) => texts?.[language])),
    ]),
  );
}
