import { registeredPageAddresses } from '@watchword/administration';
import { accountIdentityProvider, OAuthError, protocolErrors } from '@watchword/protocol';
import {
  type ConsoleFile,
  type ConsoleFiles,
  type ContentCoding,
  readConsoleFiles,
} from '../console/files.ts';
import { type ConsolePageOptions, consoleHeaders, consolePage } from '../console/page.ts';
import { type ConsoleLanguages, consoleLanguages } from '../console/texts.ts';
import type { Core } from '../core/core.ts';
import type { HttpAnswer } from '../http/answer.ts';
import type { Endpoint, Handler } from '../http/endpoint.ts';
import type { PageAnswers } from '../http/page.ts';
import type { HttpRequest } from '../http/request.ts';
import type { Pages } from '../pages/pages.ts';
import { version } from '../version.ts';
import type { Feature } from './feature.ts';

const buildCommand = 'npm run build -w packages/console';

type Parts = Pick<
  Core,
  | 'baseUrl'
  | 'configuration'
  | 'cookies'
  | 'logger'
  | 'modules'
  | 'pageAnswers'
  | 'pages'
  | 'prefix'
  | 'profile'
  | 'store'
>;

/** The administration GUI. If it is not built, a page with the command that builds it. */
export function administrationGui(parts: Parts): Feature {
  const {
    baseUrl: issuer,
    configuration,
    cookies,
    logger,
    modules,
    pageAnswers,
    pages,
    prefix,
    profile,
    store,
  } = parts;
  const files = readConsoleFiles();
  if (files === undefined) {
    logger.warn(
      `the administration GUI has not been built; run "${buildCommand}" and start the server again`,
    );
  }
  const endpoints = consoleRoutes({
    files,
    buildCommand,
    describe: (request) => ({
      issuer,
      alternatives: registeredPageAddresses(store.registry).filter((baseUrl) => baseUrl !== issuer),
      productName: pages.productName(),
      logo: `${prefix}${pages.logo().path}`,
      theme: themeAddress(pages, prefix),
      version,
      implicitLifetime: configuration['implicit.lifetime'],
      signingAlgorithms: configuration['signing.algorithms'],
      usesCodes: profile?.takesResponseType('token') === false,
      hasLocalAccounts: modules.authenticators.has(accountIdentityProvider),
      hasSession: cookies.hasSession(request),
    }),
    languages: consoleLanguages(pages.consoleLocales),
    isHttps: issuer.startsWith('https:'),
    pages: pageAnswers,
  });
  return { endpoints };
}

function themeAddress(pages: Pick<Pages, 'consoleTheme'>, prefix: string): string | undefined {
  const theme = pages.consoleTheme();
  return theme && `${prefix}${theme.path}`;
}

interface ConsoleRouteDependencies {
  /** `undefined` if the GUI is not built. */
  readonly files: ConsoleFiles | undefined;
  /** The command that builds the GUI. */
  readonly buildCommand: string;
  describe(request: HttpRequest): Omit<ConsolePageOptions, 'page' | 'texts'>;
  readonly languages: ConsoleLanguages;
  readonly isHttps: boolean;
  readonly pages: PageAnswers;
}

const pagePath = '/client/client.html';
const loginTestPath = '/client/login-test.html';

/**
 * `GET {base}/client/client.html`, the administration GUI, the page that receives the answer of its login test, one address
 * for each of its files, and its texts in each language. No other file can be requested.
 */
export function consoleRoutes(deps: ConsoleRouteDependencies): Endpoint[] {
  const { files, languages, isHttps } = deps;
  if (files === undefined)
    return [{ path: pagePath, page: true, methods: { GET: explainMissingFiles(deps) } }];
  return [
    pageEndpoint(pagePath, files.page, deps),
    pageEndpoint(loginTestPath, files.loginTest, deps),
    {
      path: '/client/texts/:file',
      methods: {
        GET(request) {
          const file = languages.file(request.parameters.file ?? '');
          if (file === undefined) throw new OAuthError('unknown_address');
          return answerOf(file, request, isHttps);
        },
      },
    },
    ...files.files.map((file) => ({
      path: file.path,
      label: '/client/assets/:file',
      methods: { GET: (request: HttpRequest) => answerOf(file, request, isHttps) },
    })),
  ];
}

function pageEndpoint(
  path: string,
  page: string,
  { describe, isHttps, languages }: ConsoleRouteDependencies,
): Endpoint {
  return {
    path,
    page: true,
    methods: {
      GET(request) {
        const texts = languages.forLanguage(request.headers['accept-language']);
        return {
          headers: consoleHeaders(isHttps, texts.language),
          body: consolePage({ ...describe(request), page, texts }),
        };
      },
    },
  };
}

async function answerOf(file: ConsoleFile, request: HttpRequest, isHttps: boolean): Promise<HttpAnswer> {
  const coding = chosenCoding(file, request.headers['accept-encoding']);
  const { 'strict-transport-security': transport } = consoleHeaders(isHttps, '');
  return {
    headers: {
      vary: 'Accept-Encoding',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'content-type': file.type,
      ...(transport !== undefined && { 'strict-transport-security': transport }),
      ...(coding !== undefined && { 'content-encoding': coding }),
    },
    body: await file.content(coding),
    caching: 'public, max-age=31536000, immutable',
  };
}

/** The smallest content coding that the browser accepts (RFC 9110 §12.5.3). */
function chosenCoding(file: ConsoleFile, accepted = ''): ContentCoding | undefined {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim());
  return file.codings.find((coding) => taken.includes(coding));
}

function explainMissingFiles({ pages, buildCommand }: ConsoleRouteDependencies): Handler {
  return (request) => {
    const { error, status } = protocolErrors.temporarily_unavailable;
    return pages.show(
      request,
      {
        page: 'error',
        kind: 'temporarily_unavailable',
        status,
        error,
        description: 'The files of the administration GUI are missing.',
        requestId: request.id,
        advice: `The administration GUI is not built. On the server, run "${buildCommand}" and restart the server.`,
      },
      { status },
    );
  };
}
