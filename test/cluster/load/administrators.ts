import { setTimeout as delay } from 'node:timers/promises';
import type { Administering } from '@watchword/server-testkit/servers/administration';
import type { Answer, Question } from '../client.ts';
import { type AnsweredToken, Ending } from '../tokens.ts';
import { issue, lookUpEverywhere } from './access-tokens.ts';
import { type Part, pause } from './part.ts';

type Change = Omit<Question, 'kind' | 'bearer'>;

/** Milliseconds after which what an administrator took away is gone at every node (docs/adr/0073). */
const second = 1000;
const maxAttempts = 200;

/** An administrator who registers clients, changes them, revokes their tokens and deletes them. */
export async function runAdministrator(
  part: Part,
  { token: bearer }: Administering,
  resourceServerId: number,
): Promise<void> {
  const clients = `/admin/resourceServer/${resourceServerId}/client`;
  for (let round = 0; !part.stop.aborted; round += 1) {
    const created = await part.client.ask({
      kind: 'administer',
      path: clients,
      json: {
        clientName: `Job ${round}`,
        contactName: 'Ann',
        scopes: ['read'],
        allowedClientCredentials: true,
      },
      bearer,
      expects: [201],
    });
    if (created?.status === 201) await useAndDelete(part, bearer, clients, created.json);
    else await pause();
  }
}

/** The client gets tokens before and after all of them are revoked. They end at the latest when the client is deleted. */
async function useAndDelete(
  part: Part,
  bearer: string,
  clients: string,
  { id, clientId, secret }: { readonly id: number; readonly clientId: string; readonly secret: string },
): Promise<void> {
  const path = `${clients}/${id}`;
  const credentials = `${clientId}:${secret}`;
  const [revocation, deletion] = [new Ending(second), new Ending(second)];
  const tokens = await issueAtEach(part, credentials, [revocation, deletion]);
  await insist(part, bearer, { method: 'PATCH', path, json: { description: 'A job' }, expects: [200] });
  if (part.choices.once(2)) {
    revocation.ask();
    if (await insist(part, bearer, { path: `${path}/revocation`, expects: [204] })) revocation.answer();
    // A node that has not heard of it can issue a token within this second, which is then revoked too.
    await delay(second + 1);
  }
  tokens.push(...(await issueAtEach(part, credentials, [deletion])));
  for (const token of tokens) await lookUpEverywhere(part, token);
  deletion.ask();
  if (!(await insist(part, bearer, { method: 'DELETE', path, expects: [204] }))) return;
  deletion.answer();
  await delay(second + 1);
  for (const token of tokens) await lookUpEverywhere(part, token);
  for (let node = 0; node < part.nodes; node += 1) {
    const form = { grant_type: 'client_credentials' };
    const request = { path: '/oauth2/token', form, credentials, node };
    await part.client.ask({ kind: 'administer', ...request, expects: [401] });
  }
}

async function issueAtEach(
  part: Part,
  credentials: string,
  endings: readonly Ending[],
): Promise<AnsweredToken[]> {
  const places = Array.from({ length: part.nodes }, (_, node) => node);
  const tokens = await Promise.all(places.map((node) => issue(part, credentials, { endings, node })));
  return tokens.filter((token) => token !== undefined);
}

/** Repeats the change until it is answered, or the load ends. */
async function insist({ client, stop }: Part, bearer: string, change: Change): Promise<Answer | undefined> {
  for (let attempt = 0; attempt < maxAttempts && !stop.aborted; attempt += 1) {
    // What was deleted by a request without an answer is not found.
    const isRepeatedDeletion = attempt > 0 && change.method === 'DELETE';
    const expects = isRepeatedDeletion ? [...change.expects, 404] : change.expects;
    const answer = await client.ask({ ...change, kind: 'administer', bearer, expects });
    if (answer !== undefined) return answer;
    await pause();
  }
  return undefined;
}
