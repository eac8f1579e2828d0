import { setTimeout as delay } from 'node:timers/promises';
import type { Administering } from '@watchword/server-testkit/administration';
import type { Answer, Question } from '../client.ts';
import { Ending } from '../tokens.ts';
import { issue, lookUpEverywhere } from './access-tokens.ts';
import { type Part, pause } from './part.ts';

/** Milliseconds after which what an administrator took away is gone at every node (docs/adr/0073). */
const second = 1000;
const maxAttempts = 200;

/** An administrator who registers clients, changes them, revokes their tokens and deletes them. */
export async function runAdministrator(
  part: Part,
  { token: bearer }: Administering,
  resourceServerId: number,
): Promise<void> {
  const { choices, client, ledger, stop, nodes } = part;
  const clients = `/admin/resourceServer/${resourceServerId}/client`;
  const ask = (question: Omit<Question, 'kind' | 'bearer'>) =>
    client.ask({ kind: 'administer', bearer, ...question });
  /** Repeats the change until it is answered. */
  const insist = async (question: Omit<Question, 'kind' | 'bearer'>): Promise<Answer | undefined> => {
    for (let attempt = 0; attempt < maxAttempts && !stop.aborted; attempt += 1) {
      // What was deleted by a request without an answer is not found.
      const expects =
        attempt > 0 && question.method === 'DELETE' ? [...question.expects, 404] : question.expects;
      const answer = await ask({ ...question, expects });
      if (answer !== undefined) return answer;
      await pause();
    }
    return undefined;
  };

  for (let round = 0; !stop.aborted; round += 1) {
    const created = await ask({
      path: clients,
      json: {
        clientName: `Job ${round}`,
        contactName: 'Ann',
        scopes: ['read'],
        allowedClientCredentials: true,
      },
      expects: [201],
    });
    if (created?.status !== 201) {
      await pause();
      continue;
    }
    const { id, clientId, secret } = created.json;
    const path = `${clients}/${id}`;
    const credentials = `${clientId}:${secret}`;
    const [revocation, deletion] = [new Ending(second), new Ending(second)];
    const issueAtEach = (endings: readonly Ending[]) =>
      Promise.all(Array.from({ length: nodes }, (_, node) => issue(part, credentials, { endings, node })));

    const before = await issueAtEach([revocation, deletion]);
    await insist({ method: 'PATCH', path, json: { description: `round ${round}` }, expects: [200] });
    if (choices.once(2)) {
      revocation.ask();
      if ((await insist({ path: `${path}/revocation`, expects: [204] })) !== undefined) revocation.answer();
      // A node that has not heard of it can issue a token within this second, which is then revoked too.
      await delay(second + 1);
    }
    const after = await issueAtEach([deletion]);
    for (const token of [...before, ...after]) if (token !== undefined) await lookUpEverywhere(part, token);
    deletion.ask();
    if ((await insist({ method: 'DELETE', path, expects: [204] })) === undefined) continue;
    deletion.answer();
    await delay(second + 1);
    for (const token of [...before, ...after]) if (token !== undefined) await lookUpEverywhere(part, token);
    for (let node = 0; node < nodes; node += 1) {
      const form = { grant_type: 'client_credentials' };
      const answer = await client.ask({
        kind: 'administer',
        path: '/oauth2/token',
        form,
        credentials,
        expects: [401],
        node,
      });
      if (answer?.status === 200) ledger.violate(`issue at node ${node}: a deleted client got a token`);
    }
  }
}
