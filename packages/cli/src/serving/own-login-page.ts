import { setTimeout } from 'node:timers/promises';
import { browserHeaders } from '@watchword/doctor/checks/login-page';
import type { Configuration } from '@watchword/server/config/settings';
import { authenticatorsOf } from '@watchword/server/core/modules/authenticators';
import type { Logger } from '@watchword/server/runtime/log/logger';
import { askLoopback } from '../command/loopback.ts';
import { probeUrl } from './healthcheck.ts';

export interface Started {
  readonly baseUrl: string;
  /** The port that is open. */
  readonly port: number;
}

// Milliseconds within which the page is there, or no user would wait for it.
const patience = 5000;

/** The modules whose login begins with a page, so that asking for one changes nothing. */
const withPage = ['form', 'password'];

/**
 * Asks for the login page once, at this machine and with the host of the base URL, as a proxy would. What is wrong is logged. A proxy that
 * changes the path or the host is not on this way: `watchword doctor` examines it.
 *
 * @param end nothing is asked or logged after it
 * @param pause milliseconds before it, so that the first clients do not wait for a page
 */
export async function askLoginPage(
  configuration: Configuration,
  { baseUrl, port }: Started,
  logger: Logger,
  end: AbortSignal,
  pause = 1000,
): Promise<void> {
  const page = pageOf(configuration);
  try {
    await setTimeout(pause, undefined, { signal: end });
    const url = new URL(probeUrl({ ...configuration, port, baseUrl }, page));
    const signal = AbortSignal.any([end, AbortSignal.timeout(patience)]);
    const headers = { ...browserHeaders, host: new URL(baseUrl).host };
    const answer = await askLoopback(url, { headers, signal });
    const problem = problemOf(answer.statusCode, await textOf(answer), `${baseUrl}${page}`, baseUrl);
    const details = { url: `${baseUrl}${page}`, requestId: answer.headers['x-request-id'] };
    if (problem === undefined) logger.debug(details, 'the login page answers');
    else logger.error(details, `users cannot log in: the login page ${problem}`);
  } catch (error) {
    if (end.aborted) return;
    logger.warn(
      { err: error, url: `${baseUrl}${page}` },
      'the login page could not be asked at this machine',
    );
  }
}

async function textOf(answer: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A module of others can begin a login in any way: then the page with the links of the server is asked in place of it. */
function pageOf(configuration: Configuration): string {
  const [{ module } = { module: '' }, ...others] = authenticatorsOf(configuration);
  return others.length > 0 || withPage.includes(module) ? '/account' : '/';
}

/** What is wrong with the page, as a browser would see it; `undefined` if it is right. */
function problemOf(
  status: number | undefined,
  html: string,
  page: string,
  baseUrl: string,
): string | undefined {
  if (status !== 200) return `answers ${status}, expected 200; the log has the reason`;
  for (const [, action = ''] of html.matchAll(/<form\b[^>]*?\saction=["']([^"']*)["']/g)) {
    const target = URL.parse(action.replaceAll('&amp;', '&'), page);
    if (target?.href.startsWith(`${baseUrl}/`) === true) continue;
    return `has a form that is sent to ${target?.href ?? action}, expected an address below ${baseUrl}; correct baseUrl, or the template`;
  }
  return undefined;
}
