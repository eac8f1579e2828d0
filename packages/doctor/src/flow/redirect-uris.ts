import { createOutboundFetch, OutboundError } from '@watchword/outbound';
import type { Configuration } from '@watchword/server/config/settings';
import { broken, type Finding, ok, skipped, warning } from '../finding.ts';
import { isOnDevice, type Registration } from './registration.ts';

const limits = { maxBytes: 1_000_000, answerTimeout: 5_000, timeout: 5_000 };
// A client can have a hundred. The rest would take minutes if none of them answered.
const most = 20;

/** Whether the application answers at its redirect URIs. Nothing is requested from a private network that is not permitted. */
export async function redirectUriFindings(
  { client: { redirectUris } }: Registration,
  configuration: Pick<Configuration, 'outbound.privateHosts'>,
): Promise<readonly Finding[]> {
  const fetch = createOutboundFetch({
    allowHttp: true,
    allowPrivateAddresses: configuration['outbound.privateHosts'],
    returnRedirects: true,
  });
  const findings: Finding[] = [];
  for (const uri of redirectUris.slice(0, most)) {
    if (isOnDevice(uri)) {
      findings.push(skipped(`${uri} is at the device of each user, so it cannot be reached from here`));
      continue;
    }
    try {
      using answer = await fetch(uri, limits);
      findings.push(answered(uri, answer.status));
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      findings.push(notReached(uri, error));
    }
  }
  if (redirectUris.length > most) findings.push(skipped(`${redirectUris.length - most} more redirect URIs`));
  return findings;
}

/** Without a code, an application can answer with any status but those. */
function answered(uri: string, status: number): Finding {
  const expected = 'an answer of the application, also without a code';
  if (status === 404) {
    return warning(`${uri} answers with status 404`, {
      expected,
      advice: 'check the path: it must be that of the application, character by character',
    });
  }
  if (status >= 502 && status <= 504) {
    return broken(`${uri} answers with status ${status}`, {
      expected,
      advice: 'start the application behind its proxy',
    });
  }
  return ok(`${uri} is reachable (status ${status})`);
}

function notReached(uri: string, { kind, message }: OutboundError): Finding {
  if (kind === 'private-address') {
    return skipped(
      `${uri} is in a private network, which is not entered`,
      `permit it by outbound.privateHosts (--outbound-private-hosts ${new URL(uri).host})`,
    );
  }
  const tls =
    'install a certificate at the application that is valid for its host, with its intermediate certificates';
  return broken(`${uri} is not reachable: ${message}`, {
    expected: 'an application that answers, to which browsers return with the code',
    advice:
      kind === 'tls'
        ? tls
        : 'start the application, correct its DNS, or register the address at which it answers',
  });
}
