import { OutboundError } from '@watchword/outbound';
import { metadataPath } from '@watchword/server/features/metadata';
import { broken, type Finding, ok } from '../finding.ts';
import type { Patient } from '../patient.ts';
import { isOwnError, jsonOf, type Reply, shownReply } from '../send.ts';

/** What answers at the base URL. */
export interface Address {
  readonly finding: Finding;
  /** `undefined` if no Watchword server answers there. */
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Whether the base URL leads to a server, as clients on the network see it. */
export async function addressOf(patient: Patient): Promise<Address> {
  const { baseUrl, send } = patient;
  try {
    const reply = await send(`${baseUrl}${metadataPath}`);
    const metadata = jsonOf(reply);
    if (reply.status === 200 && typeof metadata.issuer === 'string') {
      return { finding: ok(`${baseUrl} answers with the metadata of a server`), metadata };
    }
    return { finding: await wrongReply(reply, patient) };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { finding: await noReply(error, patient) };
  }
}

const expected = (baseUrl: string) => `the metadata of the server at ${baseUrl}${metadataPath}`;

async function noReply({ kind, message }: OutboundError, patient: Patient): Promise<Finding> {
  const { hostname, host } = new URL(patient.baseUrl);
  const way =
    kind === 'unresolved-host'
      ? `enter ${hostname} into the DNS, or correct baseUrl`
      : `look at DNS, firewall and proxy of ${host}`;
  return broken(message, { expected: expected(patient.baseUrl), advice: await nextTo(patient, way) });
}

async function wrongReply(reply: Reply, patient: Patient): Promise<Finding> {
  const { baseUrl } = patient;
  return broken(`${baseUrl}${metadataPath} answers with ${shownReply(reply)}`, {
    expected: expected(baseUrl),
    advice: await adviceOn(reply, patient),
  });
}

async function adviceOn(reply: Reply, patient: Patient): Promise<string> {
  const { pathname, host } = new URL(patient.baseUrl);
  const { status, headers } = reply;
  if (status >= 300 && status < 400 && headers.location !== undefined) {
    return 'clients do not follow redirects to another address: set baseUrl to the address at which the server answers, or end the redirect in the proxy';
  }
  if (status === 404 && isOwnError(reply)) {
    return pathname === '/'
      ? `a Watchword server answers, but not at this path: the proxy adds a path, or the server has a baseUrl with a path`
      : `a Watchword server answers, but it got another path: let the proxy pass ${pathname} on and not strip it (nginx: proxy_pass without a path at its end)`;
  }
  if (status === 503 && isOwnError(reply)) {
    return 'the server is starting, or cannot use its database: its log has the reason';
  }
  if (status >= 500)
    return nextTo(patient, `the proxy at ${host} does not reach the server: correct its upstream`);
  return nextTo(patient, `another server answers at ${host}: correct baseUrl, or the route in the proxy`);
}

/** Says first whether the server itself runs, if that is known. */
async function nextTo({ localUrl, send }: Patient, way: string): Promise<string> {
  if (localUrl === undefined) return way;
  try {
    const { status } = await send(`${localUrl}/healthz`);
    if (status === 200) return `the server itself answers at ${localUrl}; ${way}`;
    return `at ${localUrl} something answers with status ${status}; start the server there, or name its --host and --port. Then ${way}`;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return `no server answers at ${localUrl}: start it, or name its --host and --port. Then ${way}`;
  }
}
