import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `requests` go to the server, `answers` to the client. */
export type Direction = 'requests' | 'answers';

/** Stands between a client and a server on this machine, to disturb their connections. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  /** The number of open connections. */
  readonly connections: number;
  /** The same URL, through the proxy. */
  url(url: string): string;
  /** Cuts all connections, as a cable does that is pulled out. New ones are accepted. */
  cut(): void;
  /** Cuts all connections when this many more bytes of the direction have passed. */
  cutAfter(direction: Direction, bytes: number): void;
  /**
   * Cuts all connections instead of forwarding the next part of the direction that matches, read as Latin-1. So a commit is lost to its
   * client after it happened. Resolves then.
   */
  cutBefore(direction: Direction, pattern: RegExp): Promise<void>;
  /** Stops forwarding in this direction: with `answers` a commit arrives, and its answer does not. */
  hold(direction: Direction): void;
  /** Resolves when bytes wait in a direction that is held. */
  held(direction: Direction): Promise<void>;
  /** Forwards what was held, and everything from now on. */
  release(): void;
  /** Forwards everything this many milliseconds later, in both directions. */
  delay(milliseconds: number): void;
  /** Cuts all connections and closes new ones at once, until {@link accept}. */
  refuse(): void;
  accept(): void;
}

interface Flow {
  isHeld: boolean;
  /** What is still to be forwarded before a cut. */
  bytesLeft: number;
  /** Takes a part instead of its receiver. Returns whether it did. */
  intercept: (chunk: Buffer) => boolean;
  waiting: PromiseWithResolvers<void>;
  readonly queued: (() => void)[];
}

export async function tcpProxy(target: { readonly host?: string; readonly port: number }): Promise<TcpProxy> {
  const open = new Set<Socket>();
  const flows: Readonly<Record<Direction, Flow>> = { requests: newFlow(), answers: newFlow() };
  let isAccepting = true;
  let latency = 0;

  const cut = () => {
    for (const socket of open) reset(socket);
    for (const flow of Object.values(flows)) flow.queued.length = 0;
  };
  const send = (chunk: Buffer, flow: Flow, to: Socket) => {
    if (flow.intercept(chunk)) return;
    if (flow.isHeld) {
      flow.queued.push(() => send(chunk, flow, to));
      flow.waiting.resolve();
    } else if (chunk.length < flow.bytesLeft) {
      flow.bytesLeft -= chunk.length;
      to.write(chunk);
    } else {
      to.write(chunk.subarray(0, flow.bytesLeft), cut);
      flow.bytesLeft = Number.POSITIVE_INFINITY;
    }
  };
  const forward = (from: Socket, to: Socket, flow: Flow) => {
    open.add(from);
    from.setNoDelay(true);
    const later = (work: () => void) => (latency === 0 ? work() : setTimeout(work, latency));
    from.on('data', (chunk: Buffer) => later(() => send(chunk, flow, to)));
    from.on('end', () => later(() => to.end()));
    // The other side learns of a reset by a reset.
    from.on('error', () => reset(to));
    from.on('close', () => open.delete(from));
  };

  const listener = createServer({ allowHalfOpen: true }, (client) => {
    if (!isAccepting) {
      client.resetAndDestroy();
      return;
    }
    const server = connect({ host: '127.0.0.1', ...target, allowHalfOpen: true });
    forward(client, server, flows.requests);
    forward(server, client, flows.answers);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    port,
    get connections() {
      return open.size / 2;
    },
    url(url) {
      const through = new URL(url);
      through.host = `127.0.0.1:${port}`;
      return through.href;
    },
    cut,
    cutAfter(direction, bytes) {
      flows[direction].bytesLeft = bytes;
    },
    cutBefore(direction, pattern) {
      const flow = flows[direction];
      return new Promise((resolve) => {
        flow.intercept = (chunk) => {
          if (!pattern.test(chunk.toString('latin1'))) return false;
          flow.intercept = passAll;
          cut();
          resolve();
          return true;
        };
      });
    },
    hold(direction) {
      flows[direction].isHeld = true;
    },
    held: (direction) => flows[direction].waiting.promise,
    release() {
      for (const flow of Object.values(flows)) {
        flow.isHeld = false;
        flow.waiting = Promise.withResolvers();
        for (const work of flow.queued.splice(0)) work();
      }
    },
    delay(milliseconds) {
      latency = milliseconds;
    },
    refuse() {
      isAccepting = false;
      cut();
    },
    accept() {
      isAccepting = true;
    },
    async [Symbol.asyncDispose]() {
      cut();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** Node.js never closes a socket that is reset right after its end (EINVAL), and a process that has one does not exit. */
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

const passAll = () => false;

function newFlow(): Flow {
  return {
    isHeld: false,
    bytesLeft: Number.POSITIVE_INFINITY,
    intercept: passAll,
    waiting: Promise.withResolvers(),
    queued: [],
  };
}
