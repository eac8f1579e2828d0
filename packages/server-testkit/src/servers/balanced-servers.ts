import type { SettingPath } from '../../../server/src/config/settings.ts';
import { startBalancer } from './balancer.ts';
import { type Served, servedRequests, startServer } from './server.ts';

/** Two servers of this process on one PostgreSQL database, behind one base URL. Each request goes to the other one. */
export async function startBalancedServers(
  flags: Partial<Record<SettingPath, string>>,
): Promise<Served & AsyncDisposable & { log(): string }> {
  await using resources = new AsyncDisposableStack();
  const balancer = resources.use(await startBalancer());
  const settings = { baseUrl: `http://localhost:${balancer.port}`, ...flags };
  const first = resources.use(await startServer(settings, 'postgresql'));
  const { database } = first;
  const second = resources.use(await startServer({ ...settings, database }, 'postgresql'));
  balancer.servers = [first.port, second.port];
  const kept = resources.move();
  return {
    ...servedRequests(`http://127.0.0.1:${balancer.port}`),
    service: first.service,
    log: () => first.log() + second.log(),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
