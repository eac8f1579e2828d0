import { OutboundError } from '@watchword/outbound';
import type { Configuration } from '@watchword/server/config/settings';
import { broken, isBroken, type NamedFinding } from '../finding.ts';
import type { Reached } from '../patient.ts';
import type { Secrets } from '../secrets.ts';
import { clientCredentialsSteps } from './client-credentials.ts';
import { type Flow, named, type Steps } from './flow.ts';
import { preflightFindings } from './preflight.ts';
import { redirectUriFindings } from './redirect-uris.ts';
import { type Registration, registrationFindings } from './registration.ts';
import { userSteps } from './user-flow.ts';

export interface FlowMeans {
  /** Of the command: the user who logs in, and by which authenticator. */
  readonly options: Readonly<Record<'login' | 'authenticator', unknown>>;
  readonly configuration: Pick<Configuration, 'outbound.privateHosts'>;
  readonly secrets: Secrets;
  readonly add: (finding: NamedFinding) => void;
}

/** Plays the flow of the client, up to its first break. */
export async function playFlow(registration: Registration, server: Reached, means: FlowMeans): Promise<void> {
  const { options, configuration, secrets, add } = means;
  const [login, authenticator] = [textOf(options.login), textOf(options.authenticator)];
  const steps = stepsOf({ ...registration, server, configuration, secrets, login, authenticator });
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
  yield* named('redirect-uri', await redirectUriFindings(flow, flow.configuration));
  yield* named('cors', await preflightFindings(flow));
  if (client.redirectUris.length > 0) yield* userSteps(flow);
  if (client.allowedClientCredentials) yield* clientCredentialsSteps(flow);
}

function textOf(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}
