import { ConfigurationError, type Problem } from '../configuration-error.ts';
import { type Asset, type Assets, readAssets } from './assets.ts';
import { documentHeaders, pageHeaders } from './headers.ts';
import {
  builtInConsoleLocales,
  builtInLocales,
  type LackingLanguage,
  type Locales,
  lackingOf,
  type ModuleTexts,
  mergeLocales,
  moduleLocales,
  readConsoleLocales,
  readLocales,
} from './locales.ts';
import type { Page } from './page.ts';
import { withPreparedLogins } from './prepared-logins.ts';
import type { ModuleDocument, PageRequest, RenderedPage } from './rendered-page.ts';
import { createTemplates, type FailedReplacement, type TemplateRenderer } from './templates.ts';
import { type Texts, textsIn, withLanguages } from './texts.ts';
import { picturesOf, viewOf } from './view.ts';
import type { PasswordHelp } from './view-parts.ts';

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
  let look = lookOf(given);
  const served = new Map<string, Asset>();
  const serve = () => {
    for (const asset of look.served) {
      served.delete(asset.path);
      served.set(asset.path, asset);
    }
    // Pages that were made a moment ago name the files of earlier looks.
    for (const path of [...served.keys()].slice(0, -mostServed)) served.delete(path);
  };
  serve();
  return {
    render: (page, request) => look.render(page, request),
    asset: (path) => served.get(path),
    logo: () => look.assets.logo,
    consoleTheme: () => look.assets.consoleTheme,
    languages: () => look.locales().languages,
    language: (acceptLanguage) => look.language(acceptLanguage),
    consoleLocales: () => mergeLocales(builtInConsoleLocales(), look.files.ofConsole),
    texts: (acceptLanguage) => look.locales().texts(acceptLanguage),
    lacking: () => look.lacking(),
    headersOf: (document) => documentHeaders({ ...document, isHttps: options.isHttps }),
    addTexts(texts) {
      given = { ...given, moduleTexts: mergeTexts(given.moduleTexts ?? {}, texts) };
      look = lookOf(given);
      serve();
    },
    reload() {
      look = lookOf(given);
      serve();
    },
  };
}

/** Two modules do not use the same key for different texts. */
function mergeTexts(before: ModuleTexts, more: ModuleTexts): ModuleTexts {
  const languages = [...new Set([...Object.keys(before), ...Object.keys(more)])];
  return Object.fromEntries(
    languages.map((language) => [language, { ...before[language], ...more[language] }]),
  );
}

// Some looks with all their files.
const mostServed = 60;

/** How pages look at one time: everything that is made of the files. */
interface Look {
  readonly files: Files;
  readonly assets: Assets;
  readonly served: readonly Asset[];
  locales(): { readonly languages: readonly string[]; readonly texts: ReturnType<typeof textsIn> };
  language(acceptLanguage: string | undefined): string;
  lacking(): readonly LackingLanguage[];
  render: Pages['render'];
}

/** What the files of the operator say. */
interface Files {
  readonly assets: Assets;
  readonly renderTemplate: TemplateRenderer;
  readonly added: Locales;
  readonly ofConsole: Locales;
}

/** @throws ConfigurationError */
function readFiles(options: PagesOptions): Files {
  const problems: Problem[] = [];
  const assets = readAssets(options, problems);
  const renderTemplate = createTemplates(options.templates, problems, options.onFailedReplacement);
  const ofModules = new Map(Object.values(options.moduleTexts ?? {}).flatMap(Object.entries<string>));
  const added = options.locales === undefined ? new Map() : readLocales(options.locales, problems, ofModules);
  const ofConsole = options.locales === undefined ? new Map() : readConsoleLocales(options.locales, problems);
  if (problems.length > 0) throw new ConfigurationError(problems);
  return { assets, renderTemplate, added, ofConsole };
}

/** @throws ConfigurationError */
function lookOf(options: PagesOptions): Look {
  const files = readFiles(options);
  const { assets, added, ofConsole } = files;
  const ofModules = moduleLocales(options.moduleTexts ?? {});
  const all = once(() => mergeLocales(mergeLocales(builtInLocales(), ofModules), added));
  const locales = once(() => ({ languages: [...all().keys()], texts: textsIn(all()) }));
  const language = (acceptLanguage: string | undefined) => locales().texts(acceptLanguage).language;
  const render = rendererOf(options, files, (acceptLanguage) => locales().texts(acceptLanguage));
  return {
    files,
    assets,
    served: [
      ...assets.stylesheets,
      ...(assets.consoleTheme === undefined ? [] : [assets.consoleTheme]),
      ...new Set([...assets.scripts.values(), assets.logo, assets.icon]),
    ],
    locales,
    language,
    lacking: () => [
      ...lackingOf(mergeLocales(builtInLocales(), added), added.keys(), 'pages'),
      ...lackingOf(mergeLocales(builtInConsoleLocales(), ofConsole), ofConsole.keys(), 'console'),
    ],
    // A template of the operator can show data of the request in a login page.
    render: options.templates === undefined ? withPreparedLogins(render, language) : render,
  };
}

function rendererOf(
  options: PagesOptions,
  { assets, renderTemplate }: Files,
  textsFor: ReturnType<typeof textsIn>,
): Pages['render'] {
  const { productName, isHttps } = options;
  const trustedHosts = new Set(options.pictureHosts.map((host) => host.toLowerCase()));
  const shownHost = (picture: string) => {
    const url = URL.canParse(picture) ? new URL(picture) : undefined;
    const isTrusted = url?.protocol === 'https:' && url.username === '' && trustedHosts.has(url.host);
    return isTrusted ? url?.host : undefined;
  };
  return (page, { acceptLanguage, requestId, formTargets, prefix, isFramed }) => {
    const texts = textsFor(acceptLanguage);
    const html = renderTemplate(page.page, {
      requestId,
      ...viewOf(page, { texts, shownHost, passwordHelp: options.passwordHelp }),
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
      html: withLanguages(html),
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

function addresses({ stylesheets, scripts, logo, icon }: Assets, prefix: string, page: Page['page']) {
  const script = scripts.get(page);
  return {
    script: script && `${prefix}${script.path}`,
    stylesheets: stylesheets.map(({ path }) => `${prefix}${path}`),
    logo: `${prefix}${logo.path}`,
    icon: `${prefix}${icon.path}`,
  };
}
