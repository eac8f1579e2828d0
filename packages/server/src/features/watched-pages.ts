import { existsSync, watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { OAuthError } from '@watchword/protocol';
import { ConfigurationError } from '../configuration-error.ts';
import type { Core } from '../core/core.ts';
import type { Endpoint, Handler } from '../http/endpoint.ts';
import { queryValue } from '../http/form.ts';
import type { HttpRequest } from '../http/request.ts';
import { shownStates } from '../pages/page-texts.ts';
import { pageStates } from '../pages/states/states.ts';
import type { Feature, Stop } from './feature.ts';

type Parts = Pick<Core, 'configuration' | 'logger' | 'pageAnswers' | 'pages' | 'prefix'>;

/** What the files of the operator are now. */
interface Look {
  /** Changes with each reading. */
  number: number;
  /** What is wrong with them; then pages are as they were before. */
  problems: readonly string[];
}

const path = '/development/pages';

/** Where `pages.watch` is set: reads the files of pages when they are saved, and lists all pages in all states. */
export function watchedPages(parts: Parts): Feature {
  if (!parts.configuration['pages.watch']) return {};
  const look: Look = { number: 0, problems: [] };
  return {
    endpoints: developmentRoutes(parts, look),
    records: 'unused',
    start: () => watchFiles(parts, look),
  };
}

function developmentRoutes({ pageAnswers, pages, prefix }: Parts, look: Look): Endpoint[] {
  const languageOf = (request: HttpRequest) =>
    queryValue(request, 'language') ?? pageAnswers.language(request);
  const list: Handler = (request) => {
    const texts = pages.texts(languageOf(request));
    const query = `?language=${encodeURIComponent(texts.language)}`;
    const page = {
      page: 'states',
      states: shownStates(texts).map(({ name, label }) => ({
        label,
        url: `${prefix}${path}/${name}${query}`,
      })),
      languages: pages.languages().map((language) => ({
        language,
        url: `${prefix}${path}?language=${encodeURIComponent(language)}`,
      })),
      lookUrl: `${prefix}${path}/look`,
    } as const;
    return pageAnswers.show(request, page, { language: texts.language });
  };
  const show: Handler = (request) => {
    const state = pageStates.find(({ name }) => name === request.parameters.state);
    if (state === undefined) throw new OAuthError('unknown_address');
    return pageAnswers.show(request, state.page, { language: languageOf(request), isFramed: true });
  };
  const tell: Handler = () => ({ body: { look: look.number, problems: look.problems } });
  return [
    { path, page: true, methods: { GET: list } },
    { path: `${path}/look`, isProbe: true, methods: { GET: tell } },
    { path: `${path}/:state`, page: true, methods: { GET: show } },
  ];
}

// Milliseconds. Editors write a file in several steps.
const pause = 30;

function watchFiles({ configuration, logger, pages }: Parts, look: Look): Stop {
  const read = () => {
    try {
      pages.reload();
      look.problems = [];
      logger.info('the files of the pages were read again');
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      look.problems = error.problems.map(({ path, place, problem }) => `${path} (${place}): ${problem}`);
      logger.error({ err: error }, 'the files of the pages have an error; pages stay as they were');
    }
    look.number += 1;
  };
  let timer: NodeJS.Timeout | undefined;
  const watchers = watchedFiles(configuration).map(({ folder, isMeant }) =>
    watch(folder, { persistent: false }, (_, name) => {
      // Other files beside them change too, the log among them.
      if (name !== null && !isMeant(name)) return;
      clearTimeout(timer);
      timer = setTimeout(read, pause);
    }),
  );
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

/** Folders, because an editor can replace a file by another one. */
function watchedFiles(configuration: Parts['configuration']) {
  const files = [configuration['pages.logo'], configuration['pages.stylesheet']];
  const { 'pages.locales': locales, 'pages.templates': templates } = configuration;
  const ending = (end: string) => (name: string) => name.endsWith(end);
  return [
    ...files.map((file) => ({
      folder: file && dirname(file),
      isMeant: (name: string) => name === basename(file ?? ''),
    })),
    { folder: templates, isMeant: ending('.eta') },
    { folder: locales, isMeant: ending('.json') },
    { folder: locales && join(locales, 'console'), isMeant: ending('.json') },
  ].flatMap(({ folder, isMeant }) =>
    folder !== undefined && existsSync(folder) ? [{ folder, isMeant }] : [],
  );
}
