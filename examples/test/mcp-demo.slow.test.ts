import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { followFlow } from '@watchword/testkit/follow-flow';
import { UserAgent } from '@watchword/testkit/user-agent';
import { startScript } from './support/demo.ts';

describe('npm run demo:mcp', () => {
  it('prints where to allow access, and again where to allow more, until the client has done its work', async () => {
    await using directory = await temporaryDirectory();
    const page = /allow what it asks:\n\n {2}(http:\S+)\n/;
    await using demo = await startScript('demo:mcp', directory.file('x.db'), page);
    const emma = new UserAgent();
    const allow = async (url: string) => {
      const { location } = await followFlow(emma, url);
      assert.equal((await fetch(location)).status, 200);
    };
    await allow(demo.found(page));
    const next = /list_notes: There are no notes\.\s+The client needs you[^:]*:\n\n {2}(http:\S+)\n/;
    await demo.printed(next);
    await allow(demo.found(next));
    await demo.printed(/add_note: The note was added\.\s+list_notes: Try the step-up\s+That was all\./);
    assert.equal(await demo.interrupt(), 0);
  });
});
