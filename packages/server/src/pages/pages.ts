import { ConfigurationError, type Problem } from '../configuration-error.ts';
import { type Asset, type Assets, readAssets } from './assets.ts';
import { documentHeaders, pageHeaders } from './headers.ts';
import {
  builtInConsoleLocales,
  builtInLocales,
  type Locales,
  type ModuleTexts,
  mergeLocales,
  moduleLocales,
  readConsoleLocales,
  readLocales,
} from './locales.ts';
import type { Page } from './page.ts';
import { withPreparedLogins } from './prepared-logins.ts';
import type { ModuleDocument, PageRequest, RenderedPage } from './rendered-page.ts';
import { createTemplates, type FailedReplacement } from './templates.ts';
import { textsIn } from './texts.ts';
import { picturesOf, viewOf } from './view.ts';

export interface PagesOptions {
  readonly productName: string;
  /** File of a picture, SVG or PNG. */
  readonly logo: string | undefined;
  /** File of a stylesheet that is served after the built-in one. */
  readonly stylesheet: string | undefined;
  /** Directory of templates that replace the built-in ones of the same name. */
  readonly templates: string | undefined;
  /** Directory of texts that replace the built-in ones. */
  readonly locales: string | undefined;
  /** Texts of modules, by language and key. Texts of the operator replace them. */
  readonly moduleTexts?: ModuleTexts;
  /** Hosts from which pages show pictures of clients, with a port if it is not 443. */
  readonly pictureHosts: readonly string[];
  /** The base URL is https. */
  readonly isHttps: boolean;
  /** Called for each page that a replaced template could not render. */
  readonly onFailedReplacement: (failure: FailedReplacement) => void;
}

export interface Pages {
  /** Renders a page. Texts from outside are escaped. The caller chooses the status. */
  render(page: Page, request: PageRequest): RenderedPage;
  /** Headers of a document that a module made. */
  headersOf(document: ModuleDocument): Readonly<Record<string, string>>;
  /** The files that pages refer to, below the base URL. */
  readonly assets: readonly Asset[];
  /** The picture beside the product name. */
  readonly logo: Asset;
  /** The available languages of pages (BCP 47). */
  languages(): readonly string[];
  /** The language of a page for this request. */
  language(acceptLanguage: string | undefined): string;
  /** The texts of the administration GUI, those of the operator among them. */
  consoleLocales(): Locales;
}

/**
 * The pages for users. Built-in templates and texts are read when the first page is rendered. Files of the operator are read
 * at once, so that the server does not start with a problem in them.
 *
 * @throws ConfigurationError with all problems of all files
 */
export function createPages(options: PagesOptions): Pages {
  const { productName, isHttps } = options;
  const problems: Problem[] = [];
  const assets = readAssets(options, problems);
  const renderTemplate = createTemplates(options.templates, problems, options.onFailedReplacement);
  const ofModules = new Map(Object.values(options.moduleTexts ?? {}).flatMap(Object.entries<string>));
  const added = options.locales === undefined ? new Map() : readLocales(options.locales, problems, ofModules);
  const ofConsole = options.locales === undefined ? new Map() : readConsoleLocales(options.locales, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);

  const trustedHosts = new Set(options.pictureHosts.map((host) => host.toLowerCase()));
  const shownHost = (picture: string) => {
    const url = URL.canParse(picture) ? new URL(picture) : undefined;
    const isTrusted = url?.protocol === 'https:' && url.username === '' && trustedHosts.has(url.host);
    return isTrusted ? url?.host : undefined;
  };
  let read: { readonly languages: readonly string[]; readonly texts: ReturnType<typeof textsIn> } | undefined;
  const locales = () => {
    if (read === undefined) {
      const all = mergeLocales(
        mergeLocales(builtInLocales(), moduleLocales(options.moduleTexts ?? {})),
        added,
      );
      read = { languages: [...all.keys()], texts: textsIn(all) };
    }
    return read;
  };

  const language = (acceptLanguage: string | undefined) => locales().texts(acceptLanguage).language;
  const render: Pages['render'] = (page, { acceptLanguage, requestId, formTargets, prefix }) => {
    const texts = locales().texts(acceptLanguage);
    const html = renderTemplate(page.page, {
      requestId,
      ...viewOf(page, { texts, shownHost }),
      page: page.page,
      productName,
      language: texts.language,
      direction: texts.direction,
      ...addresses(assets, prefix, page.page),
      t: texts.plain,
      html: texts.html,
    });
    const pictureHosts = picturesOf(page)
      .map(shownHost)
      .filter((host) => host !== undefined);
    return {
      html,
      headers: pageHeaders({
        language: texts.language,
        formTargets,
        pictureHosts,
        frames: page.page === 'logged-out' ? (page.frames ?? []) : [],
        isHttps,
        // Its script requests results while the user types.
        mayFetch: page.page === 'choice',
      }),
    };
  };

  return {
    assets: [...assets.stylesheets, ...new Set([...assets.scripts.values(), assets.logo, assets.icon])],
    logo: assets.logo,
    languages: () => locales().languages,
    language,
    consoleLocales: () => mergeLocales(builtInConsoleLocales(), ofConsole),
    headersOf: (document) => documentHeaders({ ...document, isHttps }),
    // A template of the operator can show data of the request in a login page.
    render: options.templates === undefined ? withPreparedLogins(render, language) : render,
  };
}

function addresses({ stylesheets, scripts, logo, icon }: Assets, prefix: string, page: Page['page']) {
  const script = scripts.get(page);
  return {
    script: script && `${prefix}${script.path}`,
    stylesheets: stylesheets.map(({ path }) => `${prefix}${path}`),
    logo: `${prefix}${logo.path}`,
    icon: `${prefix}${icon.path}`,
  };
}
