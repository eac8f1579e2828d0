import type { Place } from '../place.ts';
import type { MainChannel } from './main-channel.ts';
import type { Assignment } from './messages.ts';

/** A worker: the main process has opened the ports, and gives it connections. */
export function workerPlace(channel: MainChannel, assignment: Assignment): Place {
  const { number, count, ports, isFirst, settingSources } = assignment;
  return {
    worker: number,
    isFirst,
    settingSources,
    siblings: channel.siblings(count),
    async openPort(servers, { flags }) {
      const name = flags === '--' ? 'server' : 'metrics';
      const port = ports[name];
      if (port === undefined) throw new Error(`the main process has not opened the port of the ${name}`);
      channel.receiveAt(name, servers.receive());
      return { port, isOwn: false };
    },
  };
}
