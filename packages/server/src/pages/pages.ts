import type { Mail } from '@watchword/protocol';
import { ConfigurationError, type Problem } from '../configuration-error.ts';
import { type Asset, type Assets, assetsOf, type GivenAssets, readGivenAssets } from './assets.ts';
import { type Brand, noBrand } from './brand.ts';
import { documentHeaders, pageHeaders } from './headers.ts';
import { type RenderedMail, renderMail } from './mail.ts';
import type { Page } from './model/page.ts';
import { withPreparedPages } from './prepared-pages.ts';
import type { ModuleDocument, PageRequest, RenderedPage } from './rendered-page.ts';
import { createTemplates, type FailedReplacement, type TemplateRenderer } from './templates.ts';
import {
  builtInConsoleLocales,
  builtInLocales,
  type LackingLanguage,
  type Locales,
  lackingOf,
  type ModuleTexts,
  mergeLocales,
  mergeTexts,
  moduleLocales,
  readConsoleLocales,
  readLocales,
} from './texts/locales.ts';
import { type Texts, textsIn, withLanguages } from './texts/texts.ts';
import { languagesView } from './views/language-views.ts';
import { picturesOf, viewOf } from './views/view.ts';
import type { PasswordHelp } from './views/view-parts.ts';

export interface PagesOptions {
  readonly productName: string;
  /** The configuration has the product name, which comes before that of administrators. */
  readonly isNameGiven?: boolean;
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
  /** The line below the password field. */
  readonly passwordHelp?: PasswordHelp | undefined;
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
  /** Renders a mail, in the language of the mail. @param baseUrl before every link */
  mail(mail: Mail, baseUrl: string): RenderedMail;
  /** Headers of a document that a module made. */
  headersOf(document: ModuleDocument): Readonly<Record<string, string>>;
  /** The file that pages refer to by this path below the base URL; `undefined` if there is none. */
  asset(path: string): Asset | undefined;
  /** The picture beside the product name. */
  logo(): Asset;
  /** The stylesheet that gives the administration GUI the variables of the operator; `undefined` if there are none. */
  consoleTheme(): Asset | undefined;
  /** The available languages of pages (BCP 47). */
  languages(): readonly string[];
  /** The language of a page for this request. */
  language(acceptLanguage: string | undefined): string;
  /** The texts of a language. */
  texts(acceptLanguage: string | undefined): Texts;
  /** Texts of a module that is made while pages are shown. */
  addTexts(texts: ModuleTexts): void;
  /** The texts of the administration GUI, those of the operator among them. */
  consoleLocales(): Locales;
  /** The languages of the operator that lack texts. */
  lacking(): readonly LackingLanguage[];
  /** The name of the server. */
  productName(): string;
  /** Takes over what administrators set. */
  brand(brand: Brand): void;
  /** Renders pages with a draft of it. @param query of the addresses of its files, `?` first */
  preview(brand: Brand, query: string): Pages['render'];
  /** Texts of a language without what administrators set. */
  unbranded(language: string): Texts;
  /** Reads the files of the operator again. @throws ConfigurationError with all problems; then nothing changes */
  reload(): void;
}

/**
 * The pages for users. Built-in templates and texts are read when the first page is rendered. Files of the operator are read
 * at once, so that the server does not start with a problem in them.
 *
 * @throws ConfigurationError with all problems of all files
 */
export function createPages(options: PagesOptions): Pages {
  let given = options;
  let files = readFiles(given);
  let brand = noBrand;
  let look = lookOf(given, files, brand);
  const served = new Map<string, Asset>();
  const serve = ({ assets }: Look) => {
    for (const asset of filesOf(assets)) {
      served.delete(asset.path);
      served.set(asset.path, asset);
    }
    // Pages that were made a moment ago name the files of earlier looks.
    for (const path of [...served.keys()].slice(0, -mostServed)) served.delete(path);
  };
  const show = () => {
    look = lookOf(given, files, brand);
    serve(look);
  };
  serve(look);
  return {
    render: (page, request) => look.render(page, request),
    mail: (mail, baseUrl) =>
      renderMail(mail, baseUrl, {
        renderTemplate: files.renderTemplate,
        texts: look.texts(mail.language),
        productName: look.productName,
        themes: [...brand.themes, ...files.assets.themes],
      }),
    asset: (path) => served.get(path),
    logo: () => look.assets.logo,
    productName: () => look.productName,
    consoleTheme: () => look.assets.consoleTheme,
    languages: () => look.languages(),
    language: (acceptLanguage) => look.texts(acceptLanguage).language,
    consoleLocales: () => mergeLocales(builtInConsoleLocales(), files.ofConsole),
    texts: (acceptLanguage) => look.texts(acceptLanguage),
    unbranded: (language) => textsIn(localesOf(given, files, noBrand))(language),
    lacking: () => [...lackingOf(files.added, 'pages'), ...lackingOf(files.ofConsole, 'console')],
    headersOf: (document) => documentHeaders({ ...document, isHttps: options.isHttps }),
    addTexts(texts) {
      given = { ...given, moduleTexts: mergeTexts([given.moduleTexts ?? {}, texts]) };
      show();
    },
    brand(next) {
      brand = next;
      show();
    },
    preview(draft, query) {
      const ofDraft = lookOf(given, files, draft, query);
      serve(ofDraft);
      serve(look);
      return ofDraft.render;
    },
    reload() {
      files = readFiles(given);
      show();
    },
  };
}

// Some looks with all their files.
const mostServed = 60;

/** How pages look at one time: everything that is made of the files and of what administrators set. */
interface Look {
  readonly productName: string;
  readonly assets: Assets;
  languages(): readonly string[];
  texts(acceptLanguage: string | undefined): Texts;
  render: Pages['render'];
}

/** What the files of the operator say. */
interface Files {
  readonly assets: GivenAssets;
  readonly renderTemplate: TemplateRenderer;
  readonly added: Locales;
  readonly ofConsole: Locales;
}

/** @throws ConfigurationError */
function readFiles(options: PagesOptions): Files {
  const problems: Problem[] = [];
  const assets = readGivenAssets(options, problems);
  const renderTemplate = createTemplates(options.templates, problems, options.onFailedReplacement);
  const ofModules = new Map(Object.values(options.moduleTexts ?? {}).flatMap(Object.entries<string>));
  const added = options.locales === undefined ? new Map() : readLocales(options.locales, problems, ofModules);
  const ofConsole = options.locales === undefined ? new Map() : readConsoleLocales(options.locales, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return { assets, renderTemplate, added, ofConsole };
}

function lookOf(options: PagesOptions, files: Files, brand: Brand, query = ''): Look {
  const assets = assetsOf(files.assets, brand);
  const locales = once(() => localesOf(options, files, brand));
  const texts = once(() => textsIn(locales()));
  const textsFor = (acceptLanguage: string | undefined) => texts()(acceptLanguage);
  const isBranded = options.isNameGiven !== true && brand.productName !== '';
  const productName = isBranded ? brand.productName : options.productName;
  const languages = once(() => [...locales().keys()]);
  const look = { ...files, assets, query, languages };
  const render = rendererOf({ ...options, productName }, look, textsFor);
  return {
    productName,
    assets,
    languages,
    texts: textsFor,
    // A template of the operator can show data of the request, or more of the owner.
    render:
      options.templates === undefined
        ? withPreparedPages(render, (acceptLanguage) => textsFor(acceptLanguage).language)
        : render,
  };
}

function localesOf(options: PagesOptions, { added }: Files, { texts }: Brand): Locales {
  const ofModules = moduleLocales(options.moduleTexts ?? {});
  return [ofModules, texts, added].reduce(mergeLocales, builtInLocales());
}

function filesOf({ stylesheets, consoleTheme, scripts, logo, icon }: Assets): readonly Asset[] {
  const theme = consoleTheme === undefined ? [] : [consoleTheme];
  return [...stylesheets, ...theme, ...new Set([...scripts.values(), logo, icon])];
}

function rendererOf(
  options: PagesOptions,
  {
    assets,
    renderTemplate,
    query,
    languages,
  }: Pick<Files, 'renderTemplate'> & Pick<Look, 'assets' | 'languages'> & { query: string },
  textsFor: ReturnType<typeof textsIn>,
): Pages['render'] {
  const { productName, isHttps } = options;
  const trustedHosts = new Set(options.pictureHosts.map((host) => host.toLowerCase()));
  const shownHost = (picture: string) => {
    const url = URL.canParse(picture) ? new URL(picture) : undefined;
    const isTrusted = url?.protocol === 'https:' && url.username === '' && trustedHosts.has(url.host);
    return isTrusted ? url?.host : undefined;
  };
  return (page, request) => {
    const { acceptLanguage, requestId, formTargets, prefix, isFramed } = request;
    const texts = textsFor(acceptLanguage);
    const html = renderTemplate(page.page, {
      requestId,
      ...viewOf(page, { texts, shownHost, passwordHelp: options.passwordHelp }),
      page: page.page,
      productName,
      language: texts.language,
      direction: texts.direction,
      languageChoice: languagesView(page, request, languages(), texts.language),
      ...addresses(assets, prefix, page.page, query),
      t: texts.plain,
      html: texts.html,
    });
    const pictureHosts = picturesOf(page)
      .map(shownHost)
      .filter((host) => host !== undefined);
    // A draft is only looked at: its frame runs no scripts, and the focus stays where the draft is written.
    const shown = query === '' ? html : html.replaceAll(/<script\b[^>]*><\/script>| autofocus\b/g, '');
    return {
      html: withLanguages(shown),
      headers: pageHeaders({
        language: texts.language,
        formTargets,
        pictureHosts,
        frames: page.page === 'logged-out' ? (page.frames ?? []) : [],
        isHttps,
        // Their scripts request results while the user types, and whether files have changed.
        mayFetch: page.page === 'choice' || page.page === 'states',
        mayFrame: page.page === 'states',
        ...(isFramed !== undefined && { isFramed }),
      }),
    };
  };
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function addresses(
  { stylesheets, scripts, logo, icon }: Assets,
  prefix: string,
  page: Page['page'],
  query: string,
) {
  const script = scripts.get(page);
  return {
    script: script && `${prefix}${script.path}`,
    stylesheets: stylesheets.map(({ path }) => `${prefix}${path}${query}`),
    logo: `${prefix}${logo.path}${query}`,
    icon: `${prefix}${icon.path}${query}`,
  };
}
