import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';

/** Where the packages of Debian have them. */
const program = '/usr/sbin/apache2';
const modules = '/usr/lib/apache2/modules';

export const hasApache = existsSync(program) && existsSync(`${modules}/mod_auth_openidc.so`);

/** Apache httpd with mod_auth_openidc and the pages `/` and `/protected/page`. Answers show the user as `x-user`, and claims as `x-claims`. */
export async function startApache(port: number, configuration: string): Promise<AsyncDisposable> {
  await using started = new AsyncDisposableStack();
  const directory = started.use(await temporaryDirectory());
  await chmod(directory.path, 0o755);
  const names = ['mpm_event', 'authn_core', 'authz_core', 'authz_user', 'headers', 'dir', 'auth_openidc'];
  const file = directory.file('httpd.conf');
  const isRoot = process.getuid?.() === 0;
  await mkdir(directory.file('protected'));
  for (const page of ['index.html', 'protected/page']) await writeFile(directory.file(page), 'the website');
  await writeFile(
    file,
    `ServerRoot ${directory.path}
ServerName localhost:${port}
Listen 127.0.0.1:${port}
PidFile ${directory.file('pid')}
ErrorLog ${directory.file('log')}
DefaultRuntimeDir ${directory.path}
Mutex posixsem
DocumentRoot ${directory.path}
${isRoot ? 'User www-data\nGroup www-data' : ''}
${names.map((name) => `LoadModule ${name}_module ${modules}/mod_${name}.so`).join('\n')}
Header set x-user "expr=%{REMOTE_USER}"
Header set x-claims "%{OIDC_CLAIM_name}e %{OIDC_CLAIM_email}e"
${configuration}
`,
  );
  const child = spawn(program, ['-X', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const closed = once(child, 'close');
  const failure = text(child.stderr);
  started.defer(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`Apache has ended: ${await failure}`);
  }
  return started.move();
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
