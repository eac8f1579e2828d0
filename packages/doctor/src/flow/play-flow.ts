import { OutboundError } from '@watchword/outbound';
import { broken, type Finding, isBroken, type NamedFinding, ok, warning } from '../finding.ts';
import type { Reached } from '../patient.ts';
import { shownReply } from '../send.ts';
import { clientRequests } from './client-requests.ts';
import { type Flow, named, type Steps } from './flow.ts';
import { redirectUriFindings } from './redirect-uris.ts';
import { profileFindings, type Registration, registrationFindings } from './registration.ts';
import { tokenSteps } from './tokens.ts';
import { userSteps } from './user-flow.ts';

export interface FlowMeans extends Pick<Flow, 'configuration' | 'secrets' | 'clientKey' | 'clientAssertion'> {
  /** Of the command: the user who logs in, and by which authenticator. */
  readonly options: Readonly<Record<'login' | 'authenticator', unknown>>;
  readonly add: (finding: NamedFinding) => void;
}

/** Plays the flow of the client, up to its first break. */
export async function playFlow(registration: Registration, server: Reached, means: FlowMeans): Promise<void> {
  const { options, add, ...others } = means;
  const [login, authenticator] = [textOf(options.login), textOf(options.authenticator)];
  const steps = stepsOf({ ...registration, server, ...others, login, authenticator });
  try {
    for await (const step of steps) {
      add(step);
      if (isBroken(step)) break;
    }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    add({
      check: 'flow',
      ...broken(error.message, {
        expected: 'an answer of the server',
        advice: 'look at the log of the proxy for this request',
      }),
    });
  }
}

async function* stepsOf(flow: Flow): Steps {
  const { client } = flow;
  yield* named('registration', registrationFindings(flow));
  yield* named('profile', profileFindings(flow));
  yield* named('redirect-uri', await redirectUriFindings(flow, flow.configuration));
  yield* named('cors', await preflightFindings(flow));
  if (client.redirectUris.length > 0) yield* userSteps(flow);
  if (client.allowedClientCredentials) yield* clientCredentialsSteps(flow);
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}

/** Whether an application in the browser, which is a public client, can send token requests (Fetch standard, CORS protocol). */
export async function preflightFindings({ client, server }: Flow): Promise<readonly Finding[]> {
  const uri = client.redirectUris.find((candidate) => /^https?:/.test(candidate));
  if (client.confidential || uri === undefined) return [];
  const { origin } = new URL(uri);
  const reply = await server.send(String(server.metadata.token_endpoint), {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });
  const allowed = reply.headers['access-control-allow-origin'];
  if (reply.status < 300 && allowed === origin) return [ok(`scripts of ${origin} can send token requests`)];
  const found = `a preflight of ${origin} is answered with ${shownReply(reply)} and Access-Control-Allow-Origin: ${allowed ?? 'none'}`;
  return [
    warning(found, {
      expected: `status 204 and Access-Control-Allow-Origin: ${origin}, if the application runs in a browser`,
      advice: 'let the proxy pass OPTIONS requests and the headers Access-Control-* on unchanged',
    }),
  ];
}

/** The client acts for itself (RFC 6749 §4.4). */
async function* clientCredentialsSteps(flow: Flow): Steps {
  const requests = yield* clientRequests(flow, 'client-credentials');
  if (requests !== undefined)
    yield* tokenSteps({ form: { grant_type: 'client_credentials' } }, requests, flow);
}
