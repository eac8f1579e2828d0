import { OutboundError } from '@watchword/outbound';
import { version } from '@watchword/server/version';
import { EchoError } from '../echo.ts';
import { broken, type Finding, ok, skipped, warning } from '../finding.ts';
import type { Reached } from '../patient.ts';
import { isOwnError } from '../send.ts';

export const withoutEcho =
  'only a command with the database of the server can ask it: run this one there, with the configuration of the server and without --url';

/** Who answers at the base URL. */
export interface Identity {
  readonly findings: readonly Finding[];
  /** Whether it can be asked how requests arrive. */
  readonly answers: boolean;
}

/** Whether the server that answers is the one of this configuration. */
export async function identify({ baseUrl, echo }: Reached): Promise<Identity> {
  if (echo === undefined) {
    return { answers: false, findings: [skipped('which server answers is not known', withoutEcho)] };
  }
  try {
    const seen = await echo();
    return { answers: true, findings: [sameBaseUrl(seen.base_url, baseUrl), ...sameVersion(seen.version)] };
  } catch (error) {
    if (error instanceof EchoError) return { answers: false, findings: [notThisServer(error, baseUrl)] };
    if (!(error instanceof OutboundError)) throw error;
    return { answers: false, findings: [noAnswer(error.message)] };
  }
}

function noAnswer(message: string): Finding {
  const advice = 'let the proxy pass POST requests on to the server';
  return broken(message, { expected: 'an answer to a POST request', advice });
}

function sameBaseUrl(configured: string, baseUrl: string): Finding {
  if (configured === baseUrl) return ok('the server that answers uses the database of this command');
  return broken(`the server that answers has the base URL ${configured}`, {
    expected: `the base URL ${baseUrl}`,
    advice: 'give the command the configuration of the server, or correct baseUrl and restart the server',
  });
}

function sameVersion(other: string): readonly Finding[] {
  if (other === version) return [];
  return [
    warning(`the server has the version ${other}`, {
      expected: `the version of this command, ${version}`,
      advice: 'restart the server after an upgrade, or run the command of its release',
    }),
  ];
}

function notThisServer({ message, reply }: EchoError, baseUrl: string): Finding {
  if (reply.status === 400 && isOwnError(reply)) {
    return broken(`the server that answers at ${baseUrl} uses another database`, {
      expected: 'the server with the database of this command',
      advice:
        'name the database of the server by --database or --config, or let the proxy lead to the right server',
    });
  }
  const isOlder = reply.status === 404 && isOwnError(reply);
  return broken(`the server cannot say how a request arrived: ${message}`, {
    expected: 'status 200 and a new answer to each POST request',
    advice: isOlder
      ? 'the server is of an older release: upgrade it'
      : 'let the proxy pass POST requests on to the server unchanged, and store no answer',
  });
}
