// Prints as JSON: milliseconds and processor time of the import, and of each start until a first request is answered. In a process of its own,
// with built packages.
import { get } from 'node:http';

async function measured(work) {
  const [begin, used] = [performance.now(), process.cpuUsage()];
  const value = await work();
  const { user, system } = process.cpuUsage(used);
  return { value, time: performance.now() - begin, processor: (user + system) / 1000 };
}

const { value, ...imported } = await measured(() => import('@watchword/test-server'));

const starts = [];
for (let count = 0; count < 20; count += 1) {
  const { value: server, ...start } = await measured(async () => {
    const started = await value.startTestServer();
    const { promise, resolve, reject } = Promise.withResolvers();
    get(`${started.url}/.well-known/openid-configuration`, { agent: false }, (response) =>
      response.resume().on('end', resolve),
    ).on('error', reject);
    await promise;
    return started;
  });
  starts.push(start);
  await server.close();
}
console.log(JSON.stringify({ imported, starts }));
