import { OAuthError, protocolErrors } from '@watchword/protocol';
import type { ConsoleFile, ConsoleFiles, ContentCoding } from '../console/files.ts';
import { type ConsolePageOptions, consoleHeaders, consolePage } from '../console/page.ts';
import type { ConsoleLanguages } from '../console/texts.ts';
import type { HttpAnswer } from './answer.ts';
import type { Endpoint, Handler } from './endpoint.ts';
import type { PageAnswers } from './page.ts';
import type { HttpRequest } from './request.ts';

export interface ConsoleRouteDependencies {
  /** `undefined` if the GUI is not built. */
  readonly files: ConsoleFiles | undefined;
  /** The command that builds the GUI. */
  readonly buildCommand: string;
  describe(): Omit<ConsolePageOptions, 'page' | 'texts'>;
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
      GET({ headers }) {
        const texts = languages.forLanguage(headers['accept-language']);
        return {
          headers: consoleHeaders(isHttps, texts.language),
          body: consolePage({ ...describe(), page, texts }),
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
