import assert from 'node:assert/strict';
import { it } from 'node:test';
import { registerApplication } from '@watchword/server-testkit/clients/application';
import type { Nodes } from '@watchword/server-testkit/servers/nodes';
import { rounds } from '@watchword/testkit';
import { answeredBy } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';

const browsers = rounds(4, 6);
const races = rounds(2, 200);

/** A pushed request over all nodes. @param user who has a local account */
export function nodePushedRequests(
  nodes: () => Nodes,
  user: { readonly username: string; readonly password: string },
): void {
  it('PA-1: answers a pushed request of another node once, also to browsers that come at the same time', async () => {
    const app = await registerApplication(nodes(), { skipConsent: true });
    const agents = Array.from({ length: browsers }, () => new UserAgent());
    // One after the other: more than five logins of a user at once from one address have to wait.
    for (const agent of agents) await app.authorize({}, user, agent);
    for (let round = 0; round < races; round += 1) {
      const { status, json } = await app.push({ state: `round-${round}` });
      assert.equal(status, 201);
      const url = app.pushedUrl(json.request_uri);
      const pages = await Promise.all(agents.map((agent) => agent.get(url)));
      const answers = pages.map(({ location, status }) =>
        location === undefined ? status : answeredBy(location).get('state'),
      );
      const refused = Array.from({ length: browsers - 1 }, () => 400);
      assert.deepEqual(answers.toSorted(), [...refused, `round-${round}`]);
    }
  });
}
