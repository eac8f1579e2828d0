import { OutboundError } from '@watchword/outbound';
import { addressOf } from './checks/address.ts';
import { assertionIssuers } from './checks/assertion-issuers.ts';
import { authorization } from './checks/authorization.ts';
import { caching } from './checks/caching.ts';
import { clockCheck } from './checks/clock.ts';
import { cookies } from './checks/cookies.ts';
import { cors } from './checks/cors.ts';
import { discovery } from './checks/discovery.ts';
import { endpoints } from './checks/endpoints.ts';
import { forwarding } from './checks/forwarding.ts';
import { identify } from './checks/identity.ts';
import { keys } from './checks/keys.ts';
import { limits } from './checks/limits.ts';
import { passkeys } from './checks/passkeys.ts';
import { plainHttp } from './checks/plain-http.ts';
import { readiness } from './checks/readiness.ts';
import { tlsFindings } from './checks/tls.ts';
import { EchoError, echoOf } from './echo.ts';
import { broken, type Finding, isBroken, type NamedFinding } from './finding.ts';
import type { Check, Patient, Reached } from './patient.ts';

/** In the order in which a client depends on them. */
const checks: readonly Check[] = [
  readiness,
  clockCheck,
  discovery,
  endpoints,
  authorization,
  keys,
  assertionIssuers,
  cors,
  forwarding,
  cookies,
  caching,
  limits,
  passkeys,
  plainHttp,
];

/**
 * Examines a server as clients and browsers see it. Each finding is reported at once. Without TLS or an answer nothing else can
 * be found out; all other checks are independent.
 *
 * @returns the server, or `undefined` if none answers
 */
export async function examineServer(
  patient: Patient,
  report: (finding: NamedFinding) => void,
): Promise<Reached | undefined> {
  const reportAll = (check: string, findings: readonly Finding[]) => {
    for (const finding of findings) report({ check, ...finding });
  };
  const tls = await tlsFindings(patient);
  reportAll('tls', tls);
  // A server without TLS answers all the same, so everything else can be found out.
  if (tls.some(isBroken) && patient.baseUrl.startsWith('https:')) return undefined;
  const { finding, metadata } = await addressOf(patient);
  reportAll('address', [finding]);
  if (metadata === undefined) return undefined;
  const reached: Reached = { ...patient, metadata, echo: echoOf(patient) };
  const { findings, answers } = await identify(reached);
  reportAll('identity', findings);
  const server = answers ? reached : { ...reached, echo: undefined };
  for (const check of checks) reportAll(check.name, await findingsOf(check, server));
  return reached;
}

async function findingsOf(check: Check, server: Reached): Promise<readonly Finding[]> {
  try {
    return await check.run(server);
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof EchoError)) throw error;
    return [
      broken(error.message, {
        expected: 'an answer of the server',
        advice: `look at the log of the proxy at ${new URL(server.baseUrl).host} for this request`,
      }),
    ];
  }
}
