import { protocolErrors } from '@watchword/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleFile, ConsoleFiles, ContentCoding } from '../console/files.ts';
import { type ConsolePageOptions, consoleHeaders, consolePage } from '../console/page.ts';
import type { Endpoint, Handler } from './endpoint.ts';
import type { PageAnswers } from './page.ts';

export interface ConsoleRouteDependencies {
  /** `undefined` when the GUI has not been built. */
  readonly files: ConsoleFiles | undefined;
  /** What to run then. */
  readonly buildCommand: string;
  describe(): Omit<ConsolePageOptions, 'page'>;
  readonly isHttps: boolean;
  readonly pages: PageAnswers;
}

const pagePath = '/client/client.html';

/**
 * `GET {base}/client/client.html`, the administration GUI, and one address for each of its files: there is nothing
 * else to find below.
 */
export function consoleRoutes(deps: ConsoleRouteDependencies): Endpoint[] {
  const { files } = deps;
  if (files === undefined) return [{ path: pagePath, page: true, methods: { GET: sayWhatIsMissing(deps) } }];
  const headers = consoleHeaders(deps.isHttps);
  return [
    {
      path: pagePath,
      page: true,
      methods: {
        GET: async (_request, reply) => {
          reply.headers(headers);
          return consolePage({ ...deps.describe(), page: files.page });
        },
      },
    },
    ...files.files.map((file) => ({
      path: file.path,
      methods: {
        GET: async (request: FastifyRequest, reply: FastifyReply) => send(file, request, reply, deps.isHttps),
      },
    })),
  ];
}

function send(file: ConsoleFile, request: FastifyRequest, reply: FastifyReply, isHttps: boolean): Buffer {
  const coding = chosenCoding(file, request.headers['accept-encoding']);
  reply
    .removeHeader('pragma')
    .header('cache-control', 'public, max-age=31536000, immutable')
    .header('vary', 'Accept-Encoding')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cross-origin-resource-policy', 'same-origin')
    .type(file.type);
  if (isHttps) reply.header('strict-transport-security', consoleHeaders(true)['strict-transport-security']);
  if (coding !== undefined) reply.header('content-encoding', coding);
  return file.content(coding);
}

/** The smallest form that the browser takes (RFC 9110 §12.5.3). */
function chosenCoding(file: ConsoleFile, accepted = ''): ContentCoding | undefined {
  const taken = accepted
    .toLowerCase()
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*$/.test(part))
    .map((part) => part.split(';', 1)[0]?.trim());
  return file.codings.find((coding) => taken.includes(coding));
}

function sayWhatIsMissing({ pages, buildCommand }: ConsoleRouteDependencies): Handler {
  return async (request, reply) => {
    const { error, status } = protocolErrors.temporarily_unavailable;
    return pages.show(
      request,
      reply,
      {
        page: 'error',
        kind: 'temporarily_unavailable',
        status,
        error,
        description: 'The files of the administration GUI are not there.',
        requestId: request.id,
        advice: `The administration GUI has not been built. On the server, run "${buildCommand}" and start it again.`,
      },
      { status },
    );
  };
}
