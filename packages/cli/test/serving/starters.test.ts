import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { oldNode } from '@watchword/server-testkit/processes/old-node';
import { bin, logged, temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { slowTest, variants } from '@watchword/testkit';
import { npx, pidOf, startBy } from '../support/started-by.ts';

describe('npx watchword serve', () => {
  it('asks its own login page when it has begun to answer, and ends in order when the shell between ends on SIGTERM and does not pass it on', async () => {
    // What npx sets, and dash as it runs the command of npx.
    const named = ['npm_lifecycle_event=npx', 'npm_lifecycle_script=watchword'];
    const shell = ['env', ...named, 'sh', '-c', '"$@"; true', 'sh'];
    await using server = await startBy([...shell, process.execPath, bin, 'serve', '--log-level', 'debug']);
    await logged(server.log, /"msg":"listening"[\s\S]*"msg":"the login page answers"/);
    server.child.kill('SIGTERM');
    await logged(server.log, /"msg":"shut down"/);
  });

  // The test above has the shell; this one has what npx makes of it.
  slowTest(
    'ends the server in order on SIGTERM, also where the shell between them does not pass it on',
    async () => {
      await using server = await startBy(npx);
      await server.end('SIGTERM');
      assert.match(server.log(), /"msg":"shut down"/);
    },
  );
});

describe('the command on an older Node.js', () => {
  it('serves with the pinned Node.js, and passes signals and the exit code on', async () => {
    for (const signal of variants(1, ['SIGTERM', 'SIGINT'] as const)) {
      await using server = await startBy([...tooOld(), bin, 'serve']);
      assert.notEqual(pidOf(server), server.child.pid);
      assert.equal((await fetch(`${server.baseUrl}/readyz`)).status, 200);
      assert.equal(await server.end(signal), 0);
      assert.match(server.log(), /"msg":"shut down"/);
    }
  });

  slowTest('ends with the exit code of wrong usage', () => {
    assert.deepEqual(fails([...tooOld(), bin, 'serve', '--port', 'x']), {
      status: 2,
      stderr:
        'watchword: The configuration has an error:\n  port (--port): expected a whole number from 0 to 65535, got "x"\n',
    });
  });

  slowTest('lets the server end in order when the process that started it is killed', async () => {
    await using server = await startBy([...tooOld(), bin, 'serve']);
    server.child.kill('SIGKILL');
    await logged(server.log, /"msg":"shut down"/);
  });

  it('reports what is missing where npm has installed no newer one', async () => {
    await using directory = await temporaryDirectory();
    await cp(join(bin, '..'), directory.file('bin'), { recursive: true });
    await cp(join(bin, '../../package.json'), directory.file('package.json'));
    const { status, stderr } = fails([...tooOld(), directory.file('bin/watchword.js'), '--version']);
    assert.equal(status, 1);
    assert.match(
      stderr,
      /^Watchword needs Node\.js 24\.7 or later\. This is v\d[^\n]* Install a newer Node\.js/,
    );
  });
});

function fails([command = '', ...args]: readonly string[]): { status: number; stderr: string } {
  try {
    execFileSync(command, args, { stdio: 'pipe', encoding: 'utf8' });
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: string };
    return { status, stderr };
  }
  return assert.fail('it did not fail');
}

/** The command line of an older Node.js: one of this machine, or the pinned one with another version number. */
function tooOld(): string[] {
  if (oldNode !== undefined) return [oldNode];
  const pretence = `if (process.ppid === ${process.pid}) Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`;
  return [process.execPath, '--import', `data:text/javascript,${encodeURIComponent(pretence)}`];
}
