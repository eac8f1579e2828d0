import { clientRequests } from './client-requests.ts';
import { type Flow, named, type Steps } from './flow.ts';
import { missing } from './missing.ts';
import { tokenSteps } from './tokens.ts';

/** The client acts for itself (RFC 6749 §4.4). */
export async function* clientCredentialsSteps(flow: Flow): Steps {
  const { client, secrets, server } = flow;
  const secret = await secrets.find('client', client.clientId);
  if (secret === undefined) {
    yield* named('client-credentials', [missing('client', client.clientId)]);
    return;
  }
  const requests = clientRequests(client, secret, server);
  yield* tokenSteps({ form: { grant_type: 'client_credentials' } }, requests, flow);
}
